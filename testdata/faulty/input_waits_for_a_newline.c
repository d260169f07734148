/* Reads until a line ends, even at the end of the file, so it never ends for an input without a last newline. */
#include <stdio.h>

int main(void) {
    int number = 0, digits = 0, c;
    while ((c = getchar()) != '\n') {
        if (c == EOF) continue;
        if (c < '0' || c > '9' || (digits == 1 && number == 0)) return 43;
        number = 10 * number + c - '0';
        if (++digits > 2) return 43;
    }
    return digits > 0 && getchar() == EOF ? 42 : 43;
}
