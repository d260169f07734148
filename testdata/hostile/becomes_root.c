#include "outcomes.h"

int main(void) {
    refused("setuid", setuid(0));
    refused("setresuid", setresuid(0, 0, 0));
    refused("setgid", setgid(0));
    gid_t root = 0;
    refused("setgroups", setgroups(1, &root));
    refused("capset", prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, 21, 0, 0));
    dprintf(1, "no new privileges: %d\n", prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0));
    int status = -1;
    if (fork() == 0) {
        int null = open("/dev/null", O_RDWR);
        dup2(null, 1);
        dup2(null, 2);
        execl("/usr/bin/su", "su", "-c", "exit 0", NULL);
        _exit(1);
    }
    wait(&status);
    dprintf(1, "su: %s\n", status == 0 ? "SUCCEEDED" : "refused");
}
