#include "told.h"

#include <mqueue.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>

int main(void) {
    refused("shmget", shmget(0x6a756467, MIB, IPC_CREAT | 0666));
    refused("msgget", msgget(0x6a756467, IPC_CREAT | 0666));
    refused("semget", semget(0x6a756467, 1, IPC_CREAT | 0666));
    told("mq_open", syscall(SYS_mq_open, "hostile", O_CREAT | O_RDWR, 0666, NULL));
    told("mq_unlink", syscall(SYS_mq_unlink, "hostile"));
    told("mq_timedsend", syscall(SYS_mq_timedsend, -1, "x", 1L, 0, NULL));
    told("mq_timedreceive", syscall(SYS_mq_timedreceive, -1, NULL, 0L, NULL, NULL));
    told("mq_notify", syscall(SYS_mq_notify, -1, NULL));
    told("mq_getsetattr", syscall(SYS_mq_getsetattr, -1, NULL, NULL));
}
