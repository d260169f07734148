/* Right, but for the three seconds that it waits for nobody but itself. */
#include <stdio.h>
#include <unistd.h>

int main(void) {
    int number;
    scanf("%d", &number);
    sleep(3);
    printf("%d\n", number);
}
