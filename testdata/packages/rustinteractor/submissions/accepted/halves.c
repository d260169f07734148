#include <stdio.h>
#include <string.h>

int main(void) {
    int low = 1, high = 100;
    char answer[16];
    for (;;) {
        int middle = (low + high) / 2;
        printf("%d\n", middle);
        fflush(stdout);
        if (scanf("%15s", answer) != 1 || strcmp(answer, "correct") == 0) return 0;
        if (strcmp(answer, "higher") == 0) low = middle + 1;
        else high = middle - 1;
    }
}
