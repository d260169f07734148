// The actions of sandboxed programs under stress: `program COMMAND [ARGUMENT]...`.
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static uint64_t burned;

static uint64_t clock_of(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}
// Uses up CPU time until this thread's CPU clock shows `ns`, however long the host lets it wait. Returns what it shows
// then. The process's clock would not do: where RLIMIT_CPU is set, it is brought up to date only by the kernel's ticks
// (`cpu_clock_sample_grp` in kernel/time/posix-cpu-timers.c), of which there may be only 100 in a second.
static uint64_t burn(uint64_t ns) {
    uint64_t now;
    while ((now = clock_of(CLOCK_THREAD_CPUTIME_ID)) < ns) {}
    return now;
}
// Burns, and reports when the clock goes ahead by more than a millisecond between two readings: something other
// than this program used the processor then, an interrupt or another guest of the machine below, and the kernel charges
// us for it.
static int report_steps(uint64_t ns) {
    char text[32];
    uint64_t now, last = clock_of(CLOCK_THREAD_CPUTIME_ID);
    while ((now = clock_of(CLOCK_THREAD_CPUTIME_ID)) < ns || now - last > 1000000) {
        if (now - last > 1000000 && write(1, text, sprintf(text, "%llu\n", (unsigned long long)(now - last))) < 0) return 9;
        if (now >= ns) break;
        last = now;
    }
    return 0;
}
static void *burn_thread(void *clock) {
    *(uint64_t *)clock = burn(burned);
    return 0;
}
static void nap(long ms) {
    struct timespec t = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&t, 0);
}
static uint64_t usage_of(int who) {
    struct rusage u;
    getrusage(who, &u);
    return ((uint64_t)u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1000000000 + ((uint64_t)u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1000;
}
static int is(const char *a, const char *b) { return strcmp(a, b) == 0; }

// Burns in `count` places at the same time, then prints what the CPU clocks of all of them showed and what rusage reports.
static int account(const char *kind, int count) {
    uint64_t *clocks = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int ends[2];
    char byte;
    if (clocks == MAP_FAILED || pipe(ends)) return 9;
    if (is(kind, "alone")) burn(burned);
    else if (is(kind, "threads")) {
        pthread_t threads[16];
        for (int i = 0; i < count; i++) if (pthread_create(&threads[i], 0, burn_thread, &clocks[i])) return 9;
        for (int i = 0; i < count; i++) pthread_join(threads[i], 0);
    } else {
        if (is(kind, "ignored")) signal(SIGCHLD, SIG_IGN);
        for (int i = 0; i < count; i++) {
            pid_t pid = fork();
            if (pid < 0) return 9;
            if (pid > 0) continue;
            // An orphan's parent dies immediately, so that init inherits it.
            if (is(kind, "orphans") && fork() != 0) _exit(0);
            clocks[i] = burn(burned);
            _exit(0);
        }
        // The pipe ends with the last of them.
        close(ends[1]);
        if (read(ends[0], &byte, 1) != 0) return 9;
        while (wait(0) > 0) {}
    }
    uint64_t sum = clock_of(CLOCK_THREAD_CPUTIME_ID);
    for (int i = 0; i < count; i++) sum += clocks[i];
    printf("%llu %llu\n", (unsigned long long)sum, (unsigned long long)(usage_of(RUSAGE_SELF) + usage_of(RUSAGE_CHILDREN)));
    return 0;
}

int main(int argc, char **argv) {
    const char *command = argc > 1 ? argv[1] : "";
    long number = argc > 2 ? atol(argv[2]) : 0;
    if (is(command, "exit")) return number;
    if (is(command, "nap")) { nap(number); return 0; }
    if (is(command, "burn")) return report_steps(number * 1000ull);
    if (is(command, "spin")) {
        static uint64_t clocks[16];
        pthread_t thread;
        burned = UINT64_MAX;
        for (long i = 1; i < number; i++) if (pthread_create(&thread, 0, burn_thread, &clocks[i])) return 9;
        burn_thread(clocks);
    }
    if (is(command, "account")) { burned = atol(argv[3]) * 1000000ull; return account(argv[4], number); }
    if (is(command, "touch")) {
        size_t bytes = (size_t)number << 10;
        volatile char *p = mmap(0, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (p == MAP_FAILED) return 9;
        // One page at a time, so that every one of them is asked for.
        madvise((void *)p, bytes, MADV_NOHUGEPAGE);
        for (size_t i = 0; i < bytes; i += 4096) p[i] = 1;
        return 0;
    }
    if (is(command, "forest")) {
        // Leaves living descendants behind in sessions of their own.
        for (int i = 0; i < 3; i++) if (fork() == 0) { setsid(); if (fork() == 0) for (;;) pause(); for (;;) {} }
        nap(number);
        return 0;
    }
    if (is(command, "flood")) {
        static char block[65536];
        signal(SIGPIPE, SIG_IGN);
        while (write(1, block, sizeof block) > 0) {}
        for (;;) pause();
    }
    if (is(command, "files")) {
        char name[32];
        for (long i = 0; i < number; i++) {
            sprintf(name, "file%ld", i);
            int fd = open(name, O_WRONLY | O_CREAT, 0644);
            if (fd < 0 || write(fd, name, sizeof name) < 0) return 9;
            close(fd);
        }
        return 0;
    }
    if (is(command, "load")) { prctl(PR_SET_PDEATHSIG, SIGKILL); for (;;) {} }
    fprintf(stderr, "unknown command %s\n", command);
    return 99;
}
