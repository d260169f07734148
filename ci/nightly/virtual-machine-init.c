/* The first program in the virtual machine of ci/nightly/virtual-machine: from an empty initramfs to the host's files, read-only
 * below a layer in memory, control groups v2, and the command. Static, so that it needs nothing that is not there yet.
 * With a ROOT, the files are those of that directory of the host, the host's are at /host, the command prepares the
 * machine, and then comes that directory's own first program. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void die(const char *what) {
    printf("init: %s: %s\n", what, strerror(errno));
    fflush(stdout);
    reboot(RB_POWER_OFF);
}

static void attach(const char *source, const char *target, const char *kind, unsigned long flags, const char *options) {
    mkdir(target, 0755);
    if (mount(source, target, kind, flags, options) < 0) {
        die(target);
    }
}

int main(void) {
    char name[32];
    for (int i = 0; i < 100; i++) {
        snprintf(name, sizeof name, "/modules/%02d.ko", i);
        int file = open(name, O_RDONLY | O_CLOEXEC);
        if (file < 0) {
            break;
        }
        if (syscall(SYS_finit_module, file, "", 0) < 0 && errno != EEXIST) {
            die(name);
        }
        close(file);
    }
    attach("host", "/host", "virtiofs", MS_RDONLY, NULL);
    attach("layer", "/layer", "tmpfs", 0, "mode=755");
    mkdir("/layer/upper", 0755);
    mkdir("/layer/work", 0755);
    attach("root", "/root", "overlay", 0, "lowerdir=/host" ROOT ",upperdir=/layer/upper,workdir=/layer/work");
    attach("proc", "/root/proc", "proc", 0, NULL);
    attach("sys", "/root/sys", "sysfs", 0, NULL);
    attach("dev", "/root/dev", "devtmpfs", 0, NULL);
    attach("shm", "/root/dev/shm", "tmpfs", 0, "mode=1777");
    attach("tmp", "/root/tmp", "tmpfs", 0, "mode=1777");
    attach("run", "/root/run", "tmpfs", 0, "mode=755");
    attach("cgroup", "/root/sys/fs/cgroup", "cgroup2", 0, NULL);
    symlink("/proc/self/fd", "/root/dev/fd");
    if (*ROOT) {
        mkdir("/root/host", 0755);
        if (mount("/host", "/root/host", NULL, MS_MOVE, NULL) < 0) {
            die("/root/host");
        }
    }
    /* Moved onto the root first: whoever is in a chroot may make no user namespace (user_namespaces(7)). */
    if (chdir("/root") < 0 || mount(".", "/", NULL, MS_MOVE, NULL) < 0 || chroot(".") < 0 || chdir("/") < 0) {
        die("chroot");
    }
    pid_t child = fork();
    if (child == 0) {
        setsid();
        execl("/bin/sh", "sh", COMMAND, NULL);
        _exit(127);
    }
    int status = 0;
    for (pid_t pid; (pid = wait(&status)) != child;) {
        if (pid < 0 && errno != EINTR) {
            break;
        }
    }
    if (*ROOT && status == 0) {
        execl("/sbin/init", "init", NULL);
        die("/sbin/init");
    }
    printf("\ninit: exit code %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
    fflush(stdout);
    sync();
    reboot(RB_POWER_OFF);
}
