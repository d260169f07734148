/* Uses 0.6 s of CPU time, no matter how long that takes. */
#include <stdio.h>
#include <time.h>

int main(void) {
    int number;
    scanf("%d", &number);
    while (clock() < 6 * (CLOCKS_PER_SEC / 10)) {
    }
    printf("%d\n", number);
}
