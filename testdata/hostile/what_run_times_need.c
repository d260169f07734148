#include <linux/futex.h>
#include <linux/membarrier.h>
#include "told.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <sys/signalfd.h>
#include <sys/sysinfo.h>
#include <sys/timerfd.h>

int main(void) {
    char bytes[64];
    cpu_set_t processors;
    struct sysinfo machine;
    sigset_t none;
    sigemptyset(&none);
    told("getrandom", getrandom(bytes, sizeof bytes, 0));
    told("sched_getaffinity", sched_getaffinity(0, sizeof processors, &processors));
    told("membarrier", syscall(SYS_membarrier, MEMBARRIER_CMD_QUERY, 0, 0));
    told("registered membarrier", syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0));
    told("memfd_create", memfd_create("hostile", MFD_CLOEXEC));
    told("epoll", epoll_create1(EPOLL_CLOEXEC));
    told("eventfd", eventfd(0, EFD_CLOEXEC));
    told("timerfd", timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC));
    told("signalfd", signalfd(-1, &none, SFD_CLOEXEC));
    told("sysinfo", sysinfo(&machine));
    told("openat2", syscall(437, AT_FDCWD, ".", (uint64_t[]){O_RDONLY | O_DIRECTORY, 0, 0x08 /* RESOLVE_BENEATH */}, 24));
    told("faccessat2", syscall(439, AT_FDCWD, ".", R_OK, AT_EACCESS));
    told("close_range", syscall(436, 900, 1000, 0));
    told("a priority below", setpriority(PRIO_PROCESS, 0, 5));
    told("an ordinary policy", sched_setscheduler(0, SCHED_BATCH, &(struct sched_param){0}));
    told("its own limits", prlimit(0, RLIMIT_NOFILE, NULL, &(struct rlimit){0}));
    void *memory = mmap(NULL, MIB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    told("mremap", (memory = mremap(memory, MIB, 2 * MIB, MREMAP_MAYMOVE)) == MAP_FAILED ? -1 : 0);
    told("memory advice", madvise(memory, MIB, MADV_DONTNEED));
    int pair[2], copy = open("hostile-copy", O_RDWR | O_CREAT, 0600);
    told("pipe2", pipe2(pair, O_CLOEXEC | O_NONBLOCK));
    told("socketpair", socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
    told("fallocate", fallocate(copy, 0, 0, 4096));
    told("copy_file_range", copy_file_range(copy, NULL, open("hostile-copy", O_WRONLY), &(loff_t){8192}, 4096, 0));
    told("fsync", fsync(copy));
}
