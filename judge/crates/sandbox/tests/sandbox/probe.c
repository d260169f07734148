// The actions of sandboxed programs in the tests: `probe COMMAND [ARGUMENT]...`.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <net/if.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;
static int number;

/* Every readable file below a directory, with a number for its contents, and every link. */
static void survey(const char *path, int depth) {
    struct stat s; char b[16384]; ssize_t n; size_t all = 0; unsigned long h = 1469598103934665603UL;
    if (lstat(path, &s) || depth > 12) return;
    if (S_ISLNK(s.st_mode)) { if ((n = readlink(path, b, sizeof b - 1)) > 0) { b[n] = 0; printf("%s -> %s\n", path, b); } return; }
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) return;
    if (S_ISDIR(s.st_mode)) {
        DIR *d = fdopendir(fd);
        for (struct dirent *e; d && (e = readdir(d));) {
            // Processes by their numbers, and the only thread of this one, are what `self` shows.
            if (e->d_name[0] == '.' || !strcmp(e->d_name, "task") || (depth == 1 && e->d_name[0] >= '0' && e->d_name[0] <= '9')) continue;
            char below[4096]; snprintf(below, sizeof below, "%s/%s", path, e->d_name); survey(below, depth + 1);
        }
        if (d) closedir(d);
        return;
    }
    while (all < 65536 && (n = read(fd, b, sizeof b)) > 0) { all += n; for (ssize_t i = 0; i < n; i++) h = (h ^ (unsigned char)b[i]) * 1099511628211UL; }
    close(fd);
    printf("%s %lx\n", path, h);
}
static void spin(void) { for (volatile unsigned long i = 0;; i++) {} }
static void burn(int ms) {
    struct timespec t;
    do clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t); while (t.tv_sec * 1000 + t.tv_nsec / 1000000 < ms);
}
static void *spin_thread(void *unused) { (void)unused; spin(); return 0; }
static void *sleep_thread(void *unused) { (void)unused; for (;;) pause(); return 0; }
static void *burn_thread(void *unused) { (void)unused; burn(number); return 0; }
static void touch(size_t bytes) {
    char *p = mmap(0, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) exit(9);
    for (size_t i = 0; i < bytes; i += 4096) p[i] = 1;
}
static int is(const char *a, const char *b) { return strcmp(a, b) == 0; }
static void show(const char *what, long result) {
    printf("%s %s\n", what, result < 0 ? strerrorname_np(errno) : "ok");
}
static void flood(int fd) {
    static char block[65536];
    memset(block, 'x', sizeof block);
    while (write(fd, block, sizeof block) > 0) {}
}
static int put(const char *path, const char *text) {
    int fd = open(path, O_WRONLY | O_CREAT, 0644);
    if (fd < 0) return -1;
    int r = write(fd, text, strlen(text)) < 0 ? -1 : 0;
    close(fd);
    return r;
}

// Reads a line, byte by byte; its length, or -1 at the end.
static int hear(char *line, int size) {
    int length = 0;
    while (length < size - 1) {
        ssize_t n = read(0, line + length, 1);
        if (n <= 0) return -1;
        if (line[length] == '\n') break;
        length++;
    }
    line[length] = 0;
    return length;
}
static void all(ssize_t (*move)(int, void *, size_t), int fd, long bytes) {
    static char block[65536];
    while (bytes > 0) { ssize_t n = move(fd, block, bytes < 65536 ? bytes : 65536); if (n <= 0) exit(6); bytes -= n; }
}
static ssize_t put_block(int fd, void *block, size_t size) { return write(fd, block, size); }
static void says_x(int unused) { (void)unused; dprintf(1, "x\n"); }
// Says x after this many milliseconds, regardless of other work.
static void say_later(int ms) {
    struct sigaction handler = { .sa_handler = says_x, .sa_flags = SA_RESTART };
    struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1 };
    struct itimerspec at = { .it_value = { ms / 1000, ms % 1000 * 1000000L } };
    timer_t timer;
    if (sigaction(SIGUSR1, &handler, 0) || timer_create(CLOCK_MONOTONIC, &event, &timer)) exit(7);
    timer_settime(timer, 0, &at, 0);
}
// Does one thing after the other. Each kind of mismatch ends it with a different code.
static int talk(char **does) {
    char line[4096];
    for (; *does; does++) {
        const char *d = *does, *with = strchr(d, '=') ? strchr(d, '=') + 1 : "";
        int n = atoi(with);
        #define DO(name) (strncmp(d, name, strlen(name)) == 0)
        if (DO("say")) { dprintf(1, "%s\n", with); }
        else if (DO("hear")) { if (hear(line, sizeof line) < 0) return 4; if (*with && strcmp(line, with)) return 3; }
        else if (DO("eof")) { if (read(0, line, 1) != 0) return 5; }
        else if (DO("echo")) { while (n-- > 0) { if (hear(line, sizeof line) < 0) return 4; dprintf(1, "%s\n", line); } }
        else if (DO("ask")) { while (n-- > 0) { dprintf(1, "%d\n", n); if (hear(line, sizeof line) < 0) return 4; if (atoi(line) != n) return 3; } }
        else if (DO("write")) all(put_block, 1, n);
        else if (DO("read")) all(read, 0, n);
        else if (DO("close")) close(n);
        else if (DO("sleep")) usleep(n * 1000);
        else if (DO("burn")) burn(n);
        else if (DO("spin")) spin();
        else if (DO("abort")) abort();
        else if (DO("alarm")) { signal(SIGALRM, SIG_IGN); alarm(n); }
        else if (DO("later")) say_later(n);
        else if (DO("exit")) return n;
        else return 99;
    }
    return 0;
}

int main(int argc, char **argv) {
    const char *c = argc > 1 ? argv[1] : "";
    const char *a = argc > 2 ? argv[2] : "";
    number = atoi(a);
    if (is(c, "exit")) return number;
    if (is(c, "signal")) { signal(number, SIG_DFL); kill(getpid(), number); return 77; }
    if (is(c, "abort")) abort();
    if (is(c, "segv")) { *(volatile int *)0 = 1; return 77; }
    if (is(c, "share")) {
        touch((size_t)number << 20);
        for (int i = 0; i < 5; i++) if (fork() == 0) { usleep(500000); _exit(0); }
        while (wait(0) > 0) {}
        return 0;
    }
    if (is(c, "talk")) return talk(argv + 2);
    if (is(c, "spin")) spin();
    if (is(c, "counter")) {
        // All counters that the host may have: of hardware and of software, of this process and of all.
        struct perf_event_attr x = { .size = sizeof x, .type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_INSTRUCTIONS,
            .exclude_kernel = 1, .exclude_hv = 1 };
        show("hardware", syscall(SYS_perf_event_open, &x, 0, -1, -1, 0));
        x.type = PERF_TYPE_SOFTWARE, x.config = PERF_COUNT_SW_TASK_CLOCK;
        show("software", syscall(SYS_perf_event_open, &x, 0, -1, -1, 0));
        show("processor", syscall(SYS_perf_event_open, &x, -1, 0, -1, 0));
        return 0;
    }
    if (is(c, "burn")) { burn(number); return 0; }
    if (is(c, "deaf")) { for (int s = 1; s < 65; s++) signal(s, SIG_IGN); spin(); }
    if (is(c, "threads")) { pthread_t t; for (int i = 0; i < number; i++) pthread_create(&t, 0, spin_thread, 0); pause(); }
    if (is(c, "forks")) { for (int i = 0; i < number; i++) if (fork() == 0) spin(); for (;;) pause(); }
    if (is(c, "nested")) { for (int i = 0; i < number; i++) { if (fork() != 0) { wait(0); return 0; } setsid(); } burn(100); return 0; }
    if (is(c, "orphan")) {
        // Reports its end through a pipe, because its parent does not wait for it.
        int p[2]; char b;
        if (pipe(p)) return 9;
        if (fork() == 0) { if (fork() == 0) { setsid(); close(p[0]); burn(number); _exit(0); } _exit(0); }
        close(p[1]); wait(0);
        return read(p[0], &b, 1);
    }
    if (is(c, "unwaited")) {
        signal(SIGCHLD, SIG_IGN);
        if (fork() == 0) { burn(number); _exit(0); }
        while (wait(0) > 0) {}
        return 0;
    }
    if (is(c, "relay")) { for (;;) { if (fork() == 0) { burn(20); _exit(0); } wait(0); } }
    if (is(c, "sleep")) { for (;;) pause(); }
    if (is(c, "stop")) { raise(SIGSTOP); return 77; }
    if (is(c, "headless")) { pthread_t t; pthread_create(&t, 0, sleep_thread, 0); pthread_exit(0); }
    if (is(c, "vfork")) { if (vfork() == 0) for (;;) pause(); return 0; }
    if (is(c, "eat")) { touch((size_t)number << 20); return 0; }
    if (is(c, "hoard")) { touch((size_t)number << 20); for (;;) pause(); }
    if (is(c, "family")) {
        for (int i = 0; i < 8; i++) if (fork() == 0) { touch((size_t)number << 20); usleep(300000); _exit(0); }
        while (wait(0) > 0) {}
        return 0;
    }
    if (is(c, "reserve")) return mmap(0, 100ul << 30, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) == MAP_FAILED;
    // Nothing is stored, but the kernel needs a table for each.
    if (is(c, "tables")) {
        volatile char *p = mmap(0, 1ul << 40, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        for (long i = 0; i < number * 256l; i++) p[i << 21];
        return 0;
    }
    if (is(c, "pipes")) {
        static char block[1 << 20]; int p[2];
        for (int i = 0; i < 400; i++) if (pipe(p) == 0) { fcntl(p[1], F_SETPIPE_SZ, 1 << 20); fcntl(p[1], F_SETFL, O_NONBLOCK); if (write(p[1], block, sizeof block) < 0) {} }
        return 0;
    }
    if (is(c, "deep")) { volatile char frame[4096]; frame[0] = 1; int r = main(argc, argv); return r + frame[0]; }
    if (is(c, "stack")) { size_t n = (size_t)number << 20; volatile char *p = __builtin_alloca(n); for (size_t i = n; i > 4096; i -= 4096) p[i - 1] = 1; return 0; }
    if (is(c, "flood")) { signal(SIGPIPE, SIG_IGN); flood(number); for (;;) pause(); }
    if (is(c, "print")) { for (int i = 0; i < number; i++) putchar('x'); return 0; }
    if (is(c, "both")) { fputs("out", stdout); fputs("err", stderr); return 3; }
    // Has a bound of its own: a sandbox with a hole must not take the machine down.
    if (is(c, "bomb")) {
        int *made = mmap(0, sizeof *made, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        for (;;) if (*(volatile int *)made < 400 && fork() > 0) __sync_add_and_fetch(made, 1);
    }
    if (is(c, "turn")) {
        /* sched_getattr(2): the time that the scheduler lets this process compute in one turn. */
        struct { unsigned size, policy; unsigned long long flags; int nice; unsigned priority; unsigned long long runtime, deadline, period; } a = {0};
        syscall(SYS_sched_getattr, 0, &a, sizeof a, 0);
        printf("nice %d turn %llu\n", a.nice, a.runtime); return 0;
    }
    if (is(c, "churn")) {
        /* Always a new process, but never many. */
        int *living = mmap(0, sizeof *living, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        signal(SIGCHLD, SIG_IGN);
        for (;;) {
            if (*(volatile int *)living >= 8) { usleep(100); continue; }
            __sync_add_and_fetch(living, 1);
            pid_t p = fork();
            if (p == 0) usleep(20000);
            if (p <= 0) __sync_sub_and_fetch(living, 1);
            if (p == 0) _exit(0);
        }
    }
    if (is(c, "count")) {
        int made = 0; pthread_t t; pthread_attr_t attr; pthread_attr_init(&attr); pthread_attr_setstacksize(&attr, 65536);
        while (made < 100 && pthread_create(&t, &attr, sleep_thread, 0) == 0) made++;
        printf("%d\n", made + 1); return 0;
    }
    if (is(c, "zombies")) { int made = 0; while (made < 100 && ({ pid_t p = fork(); if (p == 0) _exit(0); p > 0; })) made++; printf("%d\n", made + 1); return 0; }
    if (is(c, "bigfile")) {
        signal(SIGXFSZ, number ? SIG_IGN : SIG_DFL);
        int fd = open("big", O_WRONLY | O_CREAT, 0644); static char block[1 << 20]; ssize_t n, total = 0;
        while ((n = write(fd, block, sizeof block)) > 0) total += n;
        printf("%zd %s\n", total, strerrorname_np(errno)); return 0;
    }
    if (is(c, "manyfiles")) { int made = 0; char name[32]; do sprintf(name, "f%d", made); while (put(name, "") == 0 && ++made < 100000); printf("%d %s\n", made, strerrorname_np(errno)); return 0; }
    if (is(c, "see")) { struct stat s; for (int i = 2; i < argc; i++) printf("%s %s\n", argv[i], lstat(argv[i], &s) == 0 ? "seen" : strerrorname_np(errno)); return 0; }
    if (is(c, "read")) { char b[4096]; int fd = open(a, O_RDONLY); if (fd < 0) { puts(strerrorname_np(errno)); return 1; } ssize_t n; while ((n = read(fd, b, sizeof b)) > 0) fwrite(b, 1, n, stdout); return 0; }
    if (is(c, "list")) { DIR *d = opendir(a); struct dirent *e; if (!d) { puts(strerrorname_np(errno)); return 1; } while ((e = readdir(d))) if (!is(e->d_name, ".") && !is(e->d_name, "..")) puts(e->d_name); return 0; }
    if (is(c, "write")) { for (int i = 2; i < argc; i++) printf("%s %s\n", argv[i], put(argv[i], "x") == 0 ? "ok" : strerrorname_np(errno)); return 0; }
    if (is(c, "fds")) { for (int i = 0; i < 1024; i++) if (fcntl(i, F_GETFD) >= 0) printf("%d ", i); return 0; }
    if (is(c, "environ")) { for (char **e = environ; *e; e++) puts(*e); return 0; }
    if (is(c, "args")) { for (int i = 0; i < argc; i++) puts(argv[i]); return 0; }
    if (is(c, "where")) {
        char cwd[4096], host[64]; gethostname(host, sizeof host);
        printf("pid %d ppid %d sid %d pgid %d cwd %s host %s umask %o\n", getpid(), getppid(), getsid(0), getpgid(0), getcwd(cwd, sizeof cwd), host, umask(0)); return 0;
    }
    if (is(c, "signals")) { for (int s = 1; s < 65; s++) { struct sigaction x; if (sigaction(s, 0, &x) == 0 && x.sa_handler != SIG_DFL) printf("%d ", s); } sigset_t m; sigprocmask(0, 0, &m); for (int s = 1; s < 65; s++) if (sigismember(&m, s) == 1) printf("blocked %d ", s); return 0; }
    if (is(c, "uid")) { printf("%d\n", getuid()); return 0; }
    if (is(c, "privileges")) {
        uid_t r, e, s; getresuid(&r, &e, &s);
        printf("root %d groups %d nnp %d dumps %d\n", r == 0 || e == 0 || s == 0, getgroups(0, 0), prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0), prctl(PR_GET_SECCOMP));
        unsigned header[2] = {0x20080522, 0}, data[6] = {0}; syscall(SYS_capget, header, data);
        printf("caps %x %x %x\n", data[0] | data[3], data[1] | data[4], data[2] | data[5]);
        show("setuid", setuid(0)); show("setresuid", setresuid(0, 0, 0)); show("chown", chown(".", 0, 0) < 0 ? -1 : 0); show("nice", setpriority(PRIO_PROCESS, 0, -5)); return 0;
    }
    if (is(c, "network")) {
        const struct { const char *name; int family, kind; } all[] = {{"inet", AF_INET, SOCK_STREAM}, {"inet datagram", AF_INET, SOCK_DGRAM}, {"inet6", AF_INET6, SOCK_STREAM},
            {"local", AF_UNIX, SOCK_STREAM}, {"netlink", 16, SOCK_RAW}, {"packet", 17, SOCK_RAW}, {"vsock", 40, SOCK_STREAM}, {"alg", 38, SOCK_SEQPACKET}};
        for (unsigned i = 0; i < sizeof all / sizeof *all; i++) show(all[i].name, socket(all[i].family, all[i].kind, 0));
        int pair[2]; show("datagram pair", socketpair(AF_UNIX, SOCK_DGRAM, 0, pair)); show("pair", socketpair(AF_UNIX, SOCK_STREAM, 0, pair)); char b;
        struct sockaddr_un un = {AF_UNIX, {0}}; memcpy(un.sun_path, "\0judge-test", 11); show("name", bind(pair[0], (void *)&un, 2 + 11)); show("connection", connect(pair[0], (void *)&un, 2 + 11));
        show("message", sendmsg(pair[0], &(struct msghdr){.msg_iov = &(struct iovec){"x", 1}, .msg_iovlen = 1}, 0)); show("bytes", send(pair[0], "y", 1, 0) == 1 && recv(pair[1], &b, 1, 0) == 1 && b == 'y' ? 0 : -1); return 0;
    }
    if (is(c, "survey")) {
        survey("/proc", 1); survey("/proc/self/.", 2); survey("/sys", 1); survey("/dev/shm", 1); survey("/tmp", 1); survey("/var/tmp", 1);
        // Without namespaces, files of its own directory can be read and the directory cannot be listed.
        static const char *own[] = {"cmdline", "comm", "limits", "oom_score_adj"};
        for (size_t i = 0; i < sizeof own / sizeof *own; i++) { char file[64]; snprintf(file, sizeof file, "/proc/self/./%s", own[i]); survey(file, 3); }
        // Objects that can be looked up by a name or a number and would belong to no process: an error means that there is none.
        struct sockaddr_un un = {AF_UNIX, {0}}; memcpy(un.sun_path, "\0judge-left", 11); show("local name", connect(socket(AF_UNIX, SOCK_STREAM, 0), (void *)&un, 2 + 11));
        show("queue", syscall(SYS_mq_open, "judge-left", O_RDONLY, 0, 0)); show("shared memory", syscall(SYS_shmget, 0x6a75, 1, 0)); show("messages", syscall(SYS_msgget, 0x6a75, 0)); show("semaphore", syscall(SYS_semget, 0x6a75, 1, 0));
        show("key", syscall(SYS_request_key, "user", "judge-left", 0, 0)); show("shm file", open("/dev/shm/judge-left", O_RDONLY)); return 0;
    }
    if (is(c, "objects")) {
        // One of each kind that a program can make, still there at its end.
        int p[2], q[2], e = epoll_create1(0); struct epoll_event event = {EPOLLIN, {0}}; timer_t timer; char b[4096] = {0};
        struct sockaddr_un un = {AF_UNIX, {0}}; memcpy(un.sun_path, "\0judge-left", 11);
        if (pipe(p) || write(p[1], b, sizeof b) != sizeof b || socketpair(AF_UNIX, SOCK_STREAM, 0, q) || send(q[0], b, sizeof b, 0) != sizeof b) return 9;
        int sent[2] = {q[0], memfd_create("judge-left", 0)};
        char space[CMSG_SPACE(sizeof sent)] = {0}; struct msghdr m = {.msg_iov = &(struct iovec){"x", 1}, .msg_iovlen = 1, .msg_control = space, .msg_controllen = sizeof space};
        struct cmsghdr *h = CMSG_FIRSTHDR(&m); h->cmsg_len = CMSG_LEN(sizeof sent); h->cmsg_level = SOL_SOCKET; h->cmsg_type = SCM_RIGHTS; memcpy(CMSG_DATA(h), sent, sizeof sent);
        bind(q[1], (void *)&un, 2 + 11); sendmsg(q[1], &m, MSG_DONTWAIT); bind(socket(AF_UNIX, SOCK_STREAM, 0), (void *)&un, 2 + 11);
        struct sockaddr_in to = {AF_INET, htons(9), {htonl(INADDR_LOOPBACK)}, {0}}; sendto(socket(AF_INET, SOCK_DGRAM, 0), b, 1, 0, (void *)&to, sizeof to);
        epoll_ctl(e, EPOLL_CTL_ADD, p[0], &event); eventfd(1, 0); timer_create(CLOCK_MONOTONIC, 0, &timer); timerfd_create(CLOCK_MONOTONIC, 0);
        syscall(SYS_mq_open, "judge-left", O_CREAT | O_RDWR, 0600, 0); syscall(SYS_shmget, 0x6a75, 4096, 01600); syscall(SYS_msgget, 0x6a75, 01600); syscall(SYS_semget, 0x6a75, 1, 01600); syscall(SYS_add_key, "user", "judge-left", "x", 1, -4);
        put("/dev/shm/judge-left", "x"); put("/tmp/judge-left", "x"); put("judge-left", "x"); kill(getpid(), SIGKILL); return 0;
    }
    if (is(c, "escape")) {
        show("unshare", unshare(CLONE_NEWUSER)); show("clone", syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0)); show("clone3", syscall(SYS_clone3, 0, 0));
        show("mount", syscall(SYS_mount, "none", "/box", "tmpfs", 0, 0)); show("umount", syscall(SYS_umount2, "/.slot", 2)); show("chroot", chroot("/")); show("setns", setns(0, 0));
        show("ptrace", syscall(SYS_ptrace, 16, 1, 0, 0)); show("keyctl", syscall(SYS_keyctl, 0, -3, 0)); show("bpf", syscall(SYS_bpf, 0, 0, 0)); show("io_uring", syscall(SYS_io_uring_setup, 1, 0));
        show("shmget", syscall(SYS_shmget, 1, 4096, 0600 | 01000)); show("affinity", syscall(SYS_sched_setaffinity, 0, 8, "\377\377\377\377\377\377\377\377")); show("kill1", kill(1, 9)); show("killall", kill(-1, 9));
        show("mknod", mknod("/box/work/null", S_IFCHR | 0666, 0x103)); show("flock", syscall(SYS_flock, 0, 2)); return 0;
    }
    if (is(c, "locks")) {
        int one = open("lock", O_RDWR | O_CREAT, 0600), other = open("lock", O_RDWR); struct flock whole = {F_WRLCK, SEEK_SET};
        show("own", flock(one, LOCK_EX | LOCK_NB)); show("again", flock(other, LOCK_EX | LOCK_NB)); flock(one, LOCK_UN); show("free", flock(other, LOCK_EX));
        show("record", fcntl(one, F_SETLK, &whole)); show("device", flock(open("/dev/null", O_RDWR), LOCK_EX | LOCK_NB)); show("stream", flock(1, LOCK_EX | LOCK_NB)); show("closed", flock(77, LOCK_EX)); return 0;
    }
    if (is(c, "crowd")) {
        int own = getpriority(PRIO_PROCESS, 0);
        for (int i = 0; i < 20; i++) if (!fork()) { for (;;) pause(); }
        for (int i = 0; i < 80 && getpriority(PRIO_PROCESS, 0) == own; i++) usleep(10000);
        puts(getpriority(PRIO_PROCESS, 0) == own ? "as before" : getpriority(PRIO_PROCESS, 0) == 19 ? "lowest" : "another"); return 0;
    }
    if (is(c, "x32")) { syscall(0x40000000 | 39); return 0; }
#ifdef __x86_64__
    if (is(c, "i386")) { int r = 20; __asm__ volatile("int $0x80" : "+a"(r)); return 0; }
#endif
    if (is(c, "leave")) {
        show("file", put("left", "secret")); show("tmp", put("/tmp/left", "secret")); show("shm", put("/dev/shm/left", "secret")); return 0;
    }
    if (is(c, "traps")) {
        mkdir("out", 0755); put("out/good", "12345"); chmod("out/good", 0755); if (symlink("/etc/passwd", "out/link") || symlink("/", "root")) return 9; mkfifo("out/pipe", 0644); mkdir("out/shut", 0000);
        mknod("out/socket", S_IFSOCK | 0644, 0); link("out/good", "out/hard"); put("out/odd\n\xff name", "6"); return 0;
    }
    if (is(c, "closed")) { close(0); close(1); close(2); return 0; }
    if (is(c, "survivor")) { if (fork() == 0) { setsid(); if (fork() == 0) for (;;) pause(); _exit(0); } wait(0); printf("done"); return 0; }
    if (is(c, "name")) { prctl(PR_SET_NAME, ") R 1 1 1 0"); spin(); }
    if (is(c, "streams")) {
        char path[64], to[4096], text[16];
        for (int stream = 0; stream < 3; stream++) {
            snprintf(path, sizeof path, "/proc/self/fd/%d", stream);
            ssize_t length = readlink(path, to, sizeof to - 1);
            if (length < 0) return 7;
            to[length] = 0;
            to[strcspn(to, ":")] = 0;
            dprintf(1, "%d %s\n", stream, to);
        }
        for (int way = 0; way < 2; way++) {
            int in = open(way ? "/dev/fd/0" : "/dev/stdin", O_RDONLY);
            ssize_t length = read(in, text, sizeof text);
            dprintf(1, "read %.*s\n", (int)(length < 0 ? 0 : length), text);
            int out = open(way ? "/dev/fd/1" : "/dev/stdout", O_WRONLY | O_CREAT | O_TRUNC, 0666);
            dprintf(out, "said\n");
            int complaint = open(way ? "/dev/fd/2" : "/dev/stderr", O_WRONLY | O_APPEND);
            dprintf(1, "complain %s\n", complaint < 0 ? "failed" : "ok");
        }
        int in = open("/dev/stdin", O_RDWR);
        show("change", in < 0 ? in : write(in, "x", 1));
        show("overhear", open("/dev/stdout", O_RDONLY | O_NONBLOCK));
        return 0;
    }
    if (is(c, "cat")) { char b[65536]; ssize_t n; while ((n = read(0, b, sizeof b)) > 0) if (write(1, b, n) != n) return 1; return 0; }
    if (is(c, "spoil")) {
        show("chmod", fchmod(0, 0)); show("write", write(0, "x", 1)); show("truncate", ftruncate(0, 0)); show("times", futimens(0, 0));
        show("reopen", open("/proc/self/fd/0", O_WRONLY)); return 0;
    }
    if (is(c, "proc")) {
        struct stat s; show("self", access("/proc/self/maps", R_OK)); show("init", stat("/proc/1/environ", &s)); int fd = open("/proc/1/environ", O_RDONLY); show("environ", fd); show("root", open("/proc/1/root/etc/shadow", O_RDONLY));
        show("mem", open("/proc/1/mem", O_RDWR)); show("pattern", open("/proc/sys/kernel/core_pattern", O_WRONLY)); show("sysrq", open("/proc/sysrq-trigger", O_WRONLY)); show("oom", put("/proc/self/oom_score_adj", "-1000")); return 0;
    }
    if (is(c, "limits")) {
        struct rlimit l; getrlimit(RLIMIT_CORE, &l); printf("core %lu ", (unsigned long)l.rlim_max); getrlimit(RLIMIT_NOFILE, &l); printf("files %lu ", (unsigned long)l.rlim_max); getrlimit(RLIMIT_STACK, &l); printf("stack %lu\n", (unsigned long)l.rlim_cur);
        l.rlim_cur = l.rlim_max = RLIM_INFINITY; show("raise", setrlimit(RLIMIT_NOFILE, &l)); return 0;
    }
    if (is(c, "cores")) { cpu_set_t s; sched_getaffinity(0, sizeof s, &s); for (int i = 0; i < CPU_SETSIZE; i++) if (CPU_ISSET(i, &s)) printf("%d ", i); return 0; }
    if (is(c, "burners")) { pthread_t t; pthread_create(&t, 0, burn_thread, 0); pthread_join(t, 0); return 0; }
    fprintf(stderr, "unknown command %s\n", c);
    return 99;
}
