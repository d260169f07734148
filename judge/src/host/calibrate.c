/* The fixed work by which hosts are compared. It reads the kind of work, does it, and prints the kind. A change of the
   code needs new reference figures in calibration.rs. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state = 88172645463325252u;

static uint64_t next_random(void) {
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}

/* Arithmetic in registers, each step on the one before. */
static uint64_t integer(void) {
    uint64_t sum = 0;
    for (int i = 0; i < 250000000; i++) sum = sum * 6364136223846793005u + (next_random() ^ (sum >> 29));
    return sum;
}

/* A walk through 64 MiB in an order that no cache foresees. */
static uint64_t memory(void) {
    enum { COUNT = 1 << 24 };
    uint32_t *next = malloc(COUNT * sizeof *next);
    if (next == NULL) exit(1);
    for (uint32_t i = 0; i < COUNT; i++) next[i] = i;
    for (uint32_t i = COUNT - 1; i > 0; i--) {
        uint32_t other = next_random() % i, kept = next[i];
        next[i] = next[other];
        next[other] = kept;
    }
    uint32_t place = 0;
    for (int i = 0; i < 1500000; i++) place = next[place];
    free(next);
    return place;
}

static int compare(const void *left, const void *right) {
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

/* Sorting random numbers: branches that cannot be foreseen, and calls. */
static uint64_t branch(void) {
    enum { COUNT = 2500000 };
    uint32_t *numbers = malloc(COUNT * sizeof *numbers);
    if (numbers == NULL) exit(1);
    for (uint32_t i = 0; i < COUNT; i++) numbers[i] = (uint32_t)next_random();
    qsort(numbers, COUNT, sizeof *numbers, compare);
    uint64_t middle = numbers[COUNT / 2];
    free(numbers);
    return middle;
}

int main(void) {
    char kind[16] = "";
    if (scanf("%15s", kind) != 1) return 1;
    volatile uint64_t result = 0;
    if (strcmp(kind, "integer") == 0) result = integer();
    else if (strcmp(kind, "memory") == 0) result = memory();
    else if (strcmp(kind, "branch") == 0) result = branch();
    else return 1;
    (void)result;
    puts(kind);
    return 0;
}
