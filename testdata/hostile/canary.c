/* Run after every case: its output must never change. */
#include "outcomes.h"

extern char **environ;

static void list(const char *directory) {
    DIR *entries = opendir(directory);
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            dprintf(1, "%s has %s\n", directory, entry->d_name);
        }
    }
    if (entries) {
        closedir(entries);
    }
}

int main(int argc, char **argv) {
    char host[64], directory[256];
    struct stat here;
    struct rlimit limit;
    sigset_t blocked;
    gethostname(host, sizeof host);
    stat(".", &here);
    dprintf(1, "process %d below %d in group %d, session %d\n", getpid(), getppid(), getpgrp(), getsid(0));
    dprintf(1, "user %d %d group %d %d, %d more\n", getuid(), geteuid(), getgid(), getegid(), getgroups(0, NULL));
    dprintf(1, "in %s of %s, mode %o, links %lu\n", getcwd(directory, sizeof directory), host, here.st_mode, here.st_nlink);
    for (int i = 0; i < argc; i++) {
        dprintf(1, "argument %s\n", argv[i]);
    }
    for (char **variable = environ; *variable; variable++) {
        dprintf(1, "variable %s\n", *variable);
    }
    for (int fd = 0; fd < 1024; fd++) {
        if (fcntl(fd, F_GETFD) >= 0) {
            dprintf(1, "open %d, flags %o\n", fd, fcntl(fd, F_GETFL));
        }
    }
    for (int resource = 0; resource < 16; resource++) {
        getrlimit(resource, &limit);
        dprintf(1, "limit %d is %ld of %ld\n", resource, (long)limit.rlim_cur, (long)limit.rlim_max);
    }
    sigprocmask(SIG_BLOCK, NULL, &blocked);
    for (int number = 1; number < 65; number++) {
        struct sigaction action;
        if (sigismember(&blocked, number) || (sigaction(number, NULL, &action) == 0 && action.sa_handler != SIG_DFL)) {
            dprintf(1, "signal %d is not at its default\n", number);
        }
    }
    dprintf(1, "umask %o, priority %d, policy %d, dumpable %d\n", umask(0), getpriority(PRIO_PROCESS, 0),
            sched_getscheduler(0), prctl(PR_GET_DUMPABLE, 0, 0, 0, 0));
    const char *places[] = {".", "/tmp", "/dev/shm", "/var/tmp", "/box", "/program", "/judge", "/proc", "/.slot", "/dev/mqueue",
                            temporary(), beside("")};
    for (unsigned i = 0; i < sizeof places / sizeof *places; i++) {
        list(places[i]);
    }
}
