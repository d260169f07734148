#include <stdio.h>

int main(void) {
    int number;
    scanf("%d", &number);
    printf("%d\n", number);
}
