#include "outcomes.h"

#include <mqueue.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>

int main(void) {
    refused("shmget", shmget(0x6a756467, MIB, IPC_CREAT | 0666));
    refused("msgget", msgget(0x6a756467, IPC_CREAT | 0666));
    refused("semget", semget(0x6a756467, 1, IPC_CREAT | 0666));
    print_outcome("mq_open", syscall(SYS_mq_open, "hostile", O_CREAT | O_RDWR, 0666, NULL));
    print_outcome("mq_unlink", syscall(SYS_mq_unlink, "hostile"));
    print_outcome("mq_timedsend", syscall(SYS_mq_timedsend, -1, "x", 1L, 0, NULL));
    print_outcome("mq_timedreceive", syscall(SYS_mq_timedreceive, -1, NULL, 0L, NULL, NULL));
    print_outcome("mq_notify", syscall(SYS_mq_notify, -1, NULL));
    print_outcome("mq_getsetattr", syscall(SYS_mq_getsetattr, -1, NULL, NULL));
}
