#include <linux/perf_event.h>
#include "outcomes.h"

#include <sys/personality.h>

int main(void) {
    refused("io_uring_setup", syscall(SYS_io_uring_setup, 0, 0, 0, 0, 0));
    refused("bpf", syscall(SYS_bpf, 0, 0, 0, 0, 0));
    /* One that any user may have: a clock of this process's own, in user space. */
    struct perf_event_attr clock = { .size = sizeof clock, .type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_TASK_CLOCK,
        .exclude_kernel = 1, .exclude_hv = 1 };
    refused("perf_event_open", syscall(SYS_perf_event_open, &clock, 0, -1, -1, 0));
    refused("userfaultfd", syscall(SYS_userfaultfd, 0, 0, 0, 0, 0));
    refused("kexec_load", syscall(SYS_kexec_load, 0, 0, 0, 0, 0));
    refused("init_module", syscall(SYS_init_module, 0, 0, 0, 0, 0));
    refused("finit_module", syscall(SYS_finit_module, 0, 0, 0, 0, 0));
    refused("delete_module", syscall(SYS_delete_module, 0, 0, 0, 0, 0));
    refused("reboot", syscall(SYS_reboot, 0, 0, 0, 0, 0));
    refused("swapon", syscall(SYS_swapon, 0, 0, 0, 0, 0));
    refused("swapoff", syscall(SYS_swapoff, 0, 0, 0, 0, 0));
    refused("clock_settime", syscall(SYS_clock_settime, 0, 0, 0, 0, 0));
    refused("settimeofday", syscall(SYS_settimeofday, 0, 0, 0, 0, 0));
    refused("adjtimex", syscall(SYS_adjtimex, 0, 0, 0, 0, 0));
    refused("iopl", syscall(SYS_iopl, 0, 0, 0, 0, 0));
    refused("ioperm", syscall(SYS_ioperm, 0, 0, 0, 0, 0));
    refused("syslog", syscall(SYS_syslog, 0, 0, 0, 0, 0));
    refused("open_by_handle_at", syscall(SYS_open_by_handle_at, 0, 0, 0, 0, 0));
    refused("name_to_handle_at", syscall(SYS_name_to_handle_at, 0, 0, 0, 0, 0));
    refused("fanotify_init", syscall(SYS_fanotify_init, 0, 0, 0, 0, 0));
    refused("quotactl", syscall(SYS_quotactl, 0, 0, 0, 0, 0));
    refused("acct", syscall(SYS_acct, 0, 0, 0, 0, 0));
    refused("memfd_secret", syscall(SYS_memfd_secret, 0, 0, 0, 0, 0));
    refused("vmsplice", syscall(SYS_vmsplice, 0, 0, 0, 0, 0));
    refused("kcmp", syscall(SYS_kcmp, 0, 0, 0, 0, 0));
    refused("vhangup", syscall(SYS_vhangup, 0, 0, 0, 0, 0));
    refused("modify_ldt", syscall(SYS_modify_ldt, 0, 0, 0, 0, 0));
    refused("personality", personality(ADDR_NO_RANDOMIZE));
    refused("kexec_file_load", syscall(SYS_kexec_file_load, -1, -1, 0, "", 0));
}
