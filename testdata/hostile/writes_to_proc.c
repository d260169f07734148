#include "outcomes.h"

#include <ftw.h>

static int opened, looked;

static int visit(const char *path, const struct stat *about, int kind, struct FTW *where) {
    if (kind == FTW_F && looked++ < 20000) {
        int fd = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
        if (fd >= 0) {
            opened++;
            dprintf(1, "%s: OPENED\n", path);
            close(fd);
        }
    }
    return where->level > 3 ? FTW_SKIP_SUBTREE : FTW_CONTINUE;
}

int main(void) {
    const char *places[] = {"/proc/sys/net", "/proc/sys/kernel", "/proc/sys/user", "/proc/sys/fs", "/proc/sys/vm"};
    for (int at = 0; at < 5; at++) {
        nftw(places[at], visit, 16, FTW_PHYS | FTW_ACTIONRETVAL);
    }
    const char *own[] = {"oom_score_adj", "oom_adj", "coredump_filter", "timerslack_ns", "timens_offsets", "setgroups",
        "uid_map", "gid_map", "projid_map", "sched", "comm", "clear_refs", "make-it-fail", "loginuid", "attr/current",
        "attr/exec", "mem"};
    for (int at = 0; at < (int)(sizeof own / sizeof *own); at++) {
        char path[64];
        snprintf(path, sizeof path, "/proc/self/%s", own[at]);
        visit(path, NULL, FTW_F, &(struct FTW){0});
    }
    dprintf(1, "opened: %d\n", opened);
}
