/* Right, but sleeps for three seconds. */
#include <stdio.h>
#include <unistd.h>

int main(void) {
    int number;
    scanf("%d", &number);
    sleep(3);
    printf("%d\n", number);
}
