#include "told.h"

#include <sys/sendfile.h>

int main(void) {
    int zero = open("/dev/zero", O_RDONLY), file = open("hostile-sparse", O_RDWR | O_CREAT, 0600);
    ftruncate(file, 32 * MIB);
    for (int round = 0; round < 1000; round++) {
        if (splice(zero, NULL, 1, NULL, MIB, 0) < 0 && sendfile(1, file, &(off_t){0}, 32 * MIB) < 0) {
            break;
        }
    }
    idle();
}
