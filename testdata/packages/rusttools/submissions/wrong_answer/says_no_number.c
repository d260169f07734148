#include <stdio.h>

int main(void) {
    printf("mean\n");
}
