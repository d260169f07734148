/* Takes memory until it is killed for that. */
#include <stdlib.h>
#include <string.h>

int main(void) {
    for (;;) {
        char *more = malloc(1 << 20);
        memset(more, 1, 1 << 20);
    }
}
