#include "outcomes.h"

#include <sys/uio.h>

static char *page;
static volatile int stop;

static void *drop(void *unused) {
    while (!stop) {
        madvise(page, 4096, MADV_DONTNEED);
    }
    return unused;
}

int main(void) {
    int fd = open("/usr/bin/env", O_RDONLY);
    char before[8], after[8];
    pread(fd, before, sizeof before, 0);
    refused("shared and writable", mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) == MAP_FAILED ? -1 : 0);
    char *shared = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
    refused("mprotect", mprotect(shared, 4096, PROT_READ | PROT_WRITE));
    page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, 0);
    struct iovec from = {"HOSTILE", 7}, to = {page, 7};
    refused("process_vm_writev", process_vm_writev(getpid(), &from, 1, &to, 1, 0));
    int memory = open("/proc/self/mem", O_RDWR);
    refused("/proc/self/mem", memory);
    pthread_t thread;
    pthread_create(&thread, NULL, drop, NULL);
    for (int round = 0; memory >= 0 && round < 20000; round++) {
        pwrite(memory, "HOSTILE", 7, (long)page);
    }
    stop = 1;
    pthread_join(thread, NULL);
    pread(fd, after, sizeof after, 0);
    dprintf(1, "%s\n", memcmp(before, after, sizeof before) ? "CHANGED" : "as before");
}
