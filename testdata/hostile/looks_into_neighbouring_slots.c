#include "outcomes.h"

/* Slots without a mount namespace have the same parent directory, and their names differ only in the last number. */
int main(void) {
    char own[PATH_MAX], path[PATH_MAX + 64];
    const char *parts[] = {"", "/work", "/tmp", "/judge", "/program", "/work/../judge", "/../../etc/shadow"};
    int listed = 0, entered = 0, made = 0, seen = 0;
    if (!getcwd(own, sizeof own)) {
        return 1;
    }
    *strrchr(own, '/') = 0;
    char *number = strrchr(own, '-');
    long mine = number ? atol(number + 1) : 0;
    for (long other = mine > 8 ? mine - 8 : 0; other < mine + 8; other++) {
        for (unsigned part = 0; other != mine && part < sizeof parts / sizeof *parts; part++) {
            struct stat stat_;
            snprintf(path, sizeof path, "%.*s-%ld%s", number ? (int)(number - own) : 0, own, other, parts[part]);
            listed += open(path, O_RDONLY | O_DIRECTORY) >= 0;
            entered += chdir(path) == 0 && part;
            seen += stat(path, &stat_) == 0 && part;
            strcat(path, "/hostile");
            made += open(path, O_CREAT | O_WRONLY, 0644) >= 0;
        }
    }
    dprintf(1, "listed %s, entered %s, seen %s, written %s\n", listed ? "SOME" : "none", entered ? "SOME" : "none",
            seen ? "SOME" : "none", made ? "SOME" : "none");
}
