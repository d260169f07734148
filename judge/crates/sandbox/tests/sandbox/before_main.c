// The actions of programs before `main`, by the variable MODE, and then in `main`, by their first argument.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int *shared, before, late = -1;
static int is(const char *mode) { const char *found = getenv("MODE"); return found && strcmp(found, mode) == 0; }
static void nap(int ms) { struct timespec t = {ms / 1000, ms % 1000 * 1000000}; nanosleep(&t, 0); }
static void *sleeper(void *unused) { (void)unused; for (;;) pause(); return 0; }
static void tick(int signal) { (void)signal; if (shared) shared[1]++; }

// A server that replaces the shim: it answers each order as the mode says.
static void serve(void) {
    int pid = 0;
    static char bytes[1 << 16];
    static union { struct cmsghdr header; char space[CMSG_SPACE(12)]; } passed;
    send(3, &pid, 4, 0);
    if (is("answers_before")) { pid = 4711; send(3, &pid, 4, 0); }
    if (is("reads_nothing")) for (;;) pause();
    for (;;) {
        struct iovec part = {bytes, sizeof bytes};
        struct msghdr order = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &passed, .msg_controllen = sizeof passed};
        if (recvmsg(3, &order, 0) <= 0) _exit(0);
        int streams[3];
        memcpy(streams, CMSG_DATA(&passed.header), sizeof streams);
        if (late >= 0) dprintf(late, "LATE");
        late = streams[1];
        if (is("never_answers")) for (;;) pause();
        if (is("ends_when_asked")) _exit(0);
        if (is("spins_when_asked")) for (;;) {}
        if (is("eats_when_asked")) for (;;) memset(malloc(1 << 20), 1, 1 << 20);
        if (is("lies")) { pid = 1; send(3, &pid, 4, 0); continue; }
        if (is("writes_by_itself")) { dprintf(streams[1], "forged\n"); }
        pid = syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0);
        if (pid == 0) { if (is("decoy")) { nap(30); dprintf(streams[1], "late"); } _exit(0); }
        if (is("decoy")) {
            pid = syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0);
            if (pid == 0) _exit(0);
        }
        if (is("floods_answers")) for (int i = 0; i < 100000; i++) send(3, &pid, 4, MSG_DONTWAIT);
        send(3, &pid, 4, 0);
    }
}

__attribute__((constructor)) static void constructor(void) {
    before++;
    shared = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (is("thread")) { pthread_t t; pthread_create(&t, 0, sleeper, 0); }
    if (is("fork") && fork() == 0) for (;;) pause();
    if (is("read")) { char byte; if (read(0, &byte, 1) < 0) abort(); }
    if (is("write")) { if (write(1, "early", 5) != 5) abort(); }
    if (is("buffer")) printf("early ");
    if (is("file")) close(open("early", O_CREAT | O_WRONLY, 0600));
    if (is("memory")) memset(malloc(20 << 20), 1, 20 << 20);
    if (is("exit")) _exit(7);
    if (is("crash")) abort();
    if (is("spin")) for (;;) {}
    if (is("close")) close(3);
    if (is("exec")) { char *args[] = {"probe", "sleep", 0}; execv("/program/probe", args); }
    if (is("timer")) { struct itimerspec s = {{0, 2000000}, {0, 2000000}}; timer_t t; signal(SIGALRM, tick);
        timer_create(CLOCK_MONOTONIC, 0, &t); timer_settime(t, 0, &s, 0); }
    if (getenv("MODE") && getenv("SERVES")) serve();
}

int main(int argc, char **argv) {
    const char *c = argc > 1 ? argv[1] : "";
    if (!strcmp(c, "count")) { printf("%d %d\n", before++, ++shared[0]); return 0; }
    if (!strcmp(c, "args")) { for (int i = 0; i < argc; i++) printf("[%s]", argv[i]); return 0; }
    if (!strcmp(c, "file")) { int fd = open("left", O_CREAT | O_WRONLY, 0600); return fd < 0 ? 1 : 0; }
    if (!strcmp(c, "files")) { printf("%d\n", access("left", F_OK) == 0); return 0; }
    if (!strcmp(c, "temporary")) { FILE *f = tmpfile(); fprintf(f, "x"); return f ? fclose(f) : 1; }
    if (!strcmp(c, "stray")) { if (fork() == 0) { nap(30); dprintf(1, "LATE "); _exit(0); } printf("ok"); return 0; }
    if (!strcmp(c, "reaps")) { for (int i = 0; i < 3; i++) { if (fork() == 0) _exit(i); wait(0); } return 5; }
    if (!strcmp(c, "orphans")) {  // A grandchild that ends first must not pass for the program.
        if (fork() == 0) { if (fork() == 0) { nap(5); _exit(9); } _exit(8); }
        wait(0); nap(60); return 4;
    }
    if (!strcmp(c, "kills")) { kill(-1, SIGKILL); return 0; }
    if (!strcmp(c, "kills_group")) { signal(SIGTERM, SIG_IGN); kill(0, SIGTERM); return 0; }
    if (!strcmp(c, "attacks")) {  // The neighbours' numbers are small.
        char word[8] = "x", buffer[64];
        int closed = write(3, "0000", 4) < 0 && errno == EBADF;
        for (int pid = 1; pid < 40; pid++) {
            if (pid == getpid()) continue;
            struct iovec ours = {word, 8}, theirs = {(void *)&before, 8};
            if (process_vm_writev(pid, &ours, 1, &theirs, 1, 0) > 0) printf("written ");
            if (process_vm_readv(pid, &ours, 1, &theirs, 1, 0) > 0) printf("read ");
            if (syscall(SYS_ptrace, 0x4206, pid, 0, 0) == 0) printf("traced ");
            snprintf(buffer, sizeof buffer, "/proc/%d/mem", pid);
            if (open(buffer, O_RDWR) >= 0) printf("opened ");
            int target = syscall(SYS_pidfd_open, pid, 0);
            if (target >= 0 && syscall(SYS_pidfd_getfd, target, 3, 0) >= 0) printf("taken ");
        }
        printf("parent %d, control %d\n", getppid(), closed);
        return 0;
    }
    if (!strcmp(c, "control")) { int n = 0; for (int fd = 3; fd < 1024; fd++) n += fcntl(fd, F_GETFD) >= 0; printf("%d\n", n); return 0; }
    return 3;
}
