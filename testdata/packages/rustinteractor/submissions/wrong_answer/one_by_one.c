#include <stdio.h>
#include <string.h>

int main(void) {
    char answer[16];
    for (int guess = 1; guess <= 100; guess++) {
        printf("%d\n", guess);
        fflush(stdout);
        if (scanf("%15s", answer) != 1 || strcmp(answer, "correct") == 0) return 0;
    }
}
