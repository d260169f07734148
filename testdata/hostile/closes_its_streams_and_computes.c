#include "outcomes.h"

int main(void) {
    for (int fd = 0; fd < 3; fd++) {
        close(fd);
    }
    spin();
}
