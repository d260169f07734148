#include "outcomes.h"

int main(void) {
    for (int i = 0; i < MOST_PROCESSES && fork() > 0; i++) {
    }
    setsid();
    idle();
}
