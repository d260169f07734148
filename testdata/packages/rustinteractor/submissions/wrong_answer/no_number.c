#include <stdio.h>

int main(void) {
    printf("five\n");
    fflush(stdout);
    getchar();
}
