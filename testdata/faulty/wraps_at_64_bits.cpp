// Reads digits one by one, and does not notice that the number wraps around.
#include <cctype>
#include <cstdio>
static bool read_number(FILE *file, unsigned long long &number) {
    int letter = getc(file);
    if (!isdigit(letter)) return false;
    for (number = 0; isdigit(letter); letter = getc(file)) number = number * 10 + (letter - '0');
    while (isspace(letter)) letter = getc(file);
    return letter == EOF;
}
int main(int, char **argv) {
    unsigned long long answer, output;
    FILE *file = fopen(argv[2], "r");
    if (!file || !read_number(file, answer)) return 1;
    return read_number(stdin, output) && output == answer ? 42 : 43;
}
