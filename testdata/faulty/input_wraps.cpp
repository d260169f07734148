// Keeps the lower 32 bits of a number, and finds them in the range.
#include <cctype>
#include <cstdio>
int main() {
    unsigned number = 0;
    int letter = getchar();
    if (letter < '1' || letter > '9') return 43;
    for (; isdigit(letter); letter = getchar()) number = number * 10 + (letter - '0');
    return letter == '\n' && getchar() == EOF && number <= 99 ? 42 : 43;
}
