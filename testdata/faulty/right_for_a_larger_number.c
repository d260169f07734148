// Right if any number above that of the input is an answer.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
int main(int count, char **arguments) {
    FILE *input = fopen(arguments[1], "r");
    long bound, number = 0;
    int letter, digits = 0;
    (void)count;
    if (fscanf(input, "%ld", &bound) != 1) return 43;
    while (isdigit(letter = getchar()) && ++digits < 16) number = 10 * number + letter - '0';
    while (letter != EOF && isspace(letter)) letter = getchar();
    return letter == EOF && digits > 0 && number > bound ? 42 : 43;
}
