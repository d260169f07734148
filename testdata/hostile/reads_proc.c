#include "outcomes.h"

int main(void) {
    refused("/proc/1/environ", open("/proc/1/environ", O_RDONLY));
    refused("/proc/1/root", open("/proc/1/root/etc/shadow", O_RDONLY));
    refused("/proc/1/cwd", open("/proc/1/cwd", O_RDONLY));
    refused("/proc/1/exe", open("/proc/1/exe", O_RDONLY));
    refused("/proc/1/exe for writing", open("/proc/1/exe", O_RDWR));
    refused("core_pattern", open("/proc/sys/kernel/core_pattern", O_WRONLY));
    refused("modprobe", open("/proc/sys/kernel/modprobe", O_WRONLY));
    refused("sysrq-trigger", open("/proc/sysrq-trigger", O_WRONLY));
    refused("kcore", open("/proc/kcore", O_RDONLY));
    refused("drop_caches", open("/proc/sys/vm/drop_caches", O_WRONLY));
    int victim = open("/proc/self/oom_score_adj", O_WRONLY);
    refused("oom_score_adj", write(victim, "-1000", 5));
    DIR *tasks = opendir("/proc");
    for (struct dirent *entry; tasks && (entry = readdir(tasks));) {
        if (entry->d_name[0] >= '0' && entry->d_name[0] <= '9' && atoi(entry->d_name) > 2) {
            dprintf(1, "another process: %s\n", entry->d_name);
        }
    }
}
