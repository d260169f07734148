#include <pthread.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
static void *work(void *n) { __atomic_add_fetch((int *)n, 1, __ATOMIC_SEQ_CST); return NULL; }
static int order(const void *a, const void *b) { return *(const int *)b - *(const int *)a; }
int main(void) {
    int a, b, n = 0, items[1000];
    pthread_t threads[4];
    regex_t pattern;
    scanf("%d %d", &a, &b);
    for (int i = 0; i < 4; i++) if (pthread_create(&threads[i], NULL, work, &n)) return 4;
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < 1000; i++) items[i] = i;
    qsort(items, 1000, sizeof *items, order);
    if (items[0] != 999 || time(NULL) < 1000000000) return 5;
    if (regcomp(&pattern, "^a[0-9]+$", REG_EXTENDED) || regexec(&pattern, "a12", 0, NULL, 0)) return 6;
    for (int i = 0; i < 200; i++) { char *garbage = malloc(1 << 20); memset(garbage, i, 1 << 20); free(garbage); }
    printf("%d\n", a + b + n - 4);
}
