/* Functions that the programs of this directory share: they report what happened in a stable form, and limit the programs,
 * so that a broken sandbox costs seconds and megabytes, and never the machine. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <netinet/in.h>
#include <arpa/inet.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* The path of the program, which depends on the isolation level. */
static inline const char *program(void) { return program_invocation_name; }

/* The path of a file in the program's directory. At most eight such paths are valid at a time. */
static inline const char *beside(const char *name) {
    static char paths[8][PATH_MAX];
    static int next;
    char *path = paths[next++ % 8];
    snprintf(path, PATH_MAX, "%.*s/%s", (int)(strrchr(program(), '/') - program()), program(), name);
    return path;
}

/* The directory for temporary files. */
static inline const char *temporary(void) {
    const char *directory = getenv("TMPDIR");
    return directory ? directory : "/tmp";
}

#define MIB (1L << 20)
/* A machine may have more, but no case needs it. */
#define MOST_MEMORY (300 * MIB)
#define MOST_PROCESSES 200

/* Prints "what: ok", or the name of the error. */
static inline void print_outcome(const char *what, long result) {
    dprintf(1, "%s: %s\n", what, result < 0 ? strerrorname_np(errno) : "ok");
}

/* Prints "what: refused" for any error, if a call may fail in several ways. */
static inline void refused(const char *what, long result) {
    dprintf(1, "%s: %s\n", what, result < 0 ? "refused" : "SUCCEEDED");
}

static inline double seconds(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return now.tv_sec + now.tv_nsec / 1e9;
}

/* Computes for `cpu` seconds of CPU time of the calling thread, but not for ever: a busy host gives it a hundredth of a core.
 * It and `idle` give up later than any limit of elapsed time, even if the suite extends that on a busy host. */
static inline void burn(double cpu) {
    double end = seconds(CLOCK_THREAD_CPUTIME_ID) + cpu, give_up = seconds(CLOCK_MONOTONIC) + 60;
    while (seconds(CLOCK_THREAD_CPUTIME_ID) < end && seconds(CLOCK_MONOTONIC) < give_up) {
        for (volatile int i = 0; i < 10000; i++) {
        }
    }
}

static inline void spin(void) { burn(5); }

/* Waits without computing, but not for ever. */
static inline void idle(void) {
    double give_up = seconds(CLOCK_MONOTONIC) + 60;
    while (seconds(CLOCK_MONOTONIC) < give_up) {
        usleep(100000);
    }
}

/* Makes memory resident, with bytes that compress or merge badly. */
static inline void touch(volatile char *memory, long bytes) {
    for (long at = 0; at < bytes; at += 4096) {
        memory[at] = (char)(at >> 12) | 1;
    }
}

/* Maps numbers that processes share, to count a bomb's children. */
static inline volatile int *shared_counter(void) {
    return mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}
