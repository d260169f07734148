#include "outcomes.h"

#include <sys/inotify.h>

int main(void) {
    int watch = inotify_init1(IN_NONBLOCK);
    refused("inotify_init", watch);
    if (watch >= 0) {
        refused("watch /usr/bin/env", inotify_add_watch(watch, "/usr/bin/env", IN_OPEN));
        refused("watch /program", inotify_add_watch(watch, beside(""), IN_ALL_EVENTS));
    }
}
