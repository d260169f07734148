#include <linux/futex.h>
#include <linux/membarrier.h>
#include "outcomes.h"

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
    print_outcome("getrandom", getrandom(bytes, sizeof bytes, 0));
    print_outcome("sched_getaffinity", sched_getaffinity(0, sizeof processors, &processors));
    print_outcome("membarrier", syscall(SYS_membarrier, MEMBARRIER_CMD_QUERY, 0, 0));
    print_outcome("registered membarrier", syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0));
    print_outcome("memfd_create", memfd_create("hostile", MFD_CLOEXEC));
    print_outcome("epoll", epoll_create1(EPOLL_CLOEXEC));
    print_outcome("eventfd", eventfd(0, EFD_CLOEXEC));
    print_outcome("timerfd", timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC));
    print_outcome("signalfd", signalfd(-1, &none, SFD_CLOEXEC));
    print_outcome("sysinfo", sysinfo(&machine));
    print_outcome("openat2", syscall(437, AT_FDCWD, ".", (uint64_t[]){O_RDONLY | O_DIRECTORY, 0, 0x08 /* RESOLVE_BENEATH */}, 24));
    print_outcome("faccessat2", syscall(439, AT_FDCWD, ".", R_OK, AT_EACCESS));
    print_outcome("close_range", syscall(436, 900, 1000, 0));
    print_outcome("a priority below", setpriority(PRIO_PROCESS, 0, 5));
    print_outcome("an ordinary policy", sched_setscheduler(0, SCHED_BATCH, &(struct sched_param){0}));
    print_outcome("its own limits", prlimit(0, RLIMIT_NOFILE, NULL, &(struct rlimit){0}));
    void *memory = mmap(NULL, MIB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    print_outcome("mremap", (memory = mremap(memory, MIB, 2 * MIB, MREMAP_MAYMOVE)) == MAP_FAILED ? -1 : 0);
    print_outcome("memory advice", madvise(memory, MIB, MADV_DONTNEED));
    int pair[2], copy = open("hostile-copy", O_RDWR | O_CREAT, 0600);
    print_outcome("pipe2", pipe2(pair, O_CLOEXEC | O_NONBLOCK));
    print_outcome("socketpair", socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
    print_outcome("fallocate", fallocate(copy, 0, 0, 4096));
    print_outcome("copy_file_range", copy_file_range(copy, NULL, open("hostile-copy", O_WRONLY), &(loff_t){8192}, 4096, 0));
    print_outcome("fsync", fsync(copy));
}
