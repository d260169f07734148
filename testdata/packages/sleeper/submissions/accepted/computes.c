/* Uses 0.6 s of a processor, however long it takes to get them. */
#include <stdio.h>
#include <time.h>

int main(void) {
    int number;
    scanf("%d", &number);
    while (clock() < 6 * (CLOCKS_PER_SEC / 10)) {
    }
    printf("%d\n", number);
}
