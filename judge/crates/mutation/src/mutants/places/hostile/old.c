/* C as it was written before there was a standard, and some that came later. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX 100
#define min(a, b) ((a) < (b) ? (a) : (b))
#define EACH(i, n) for (i = 0; i < (n); i++)

struct node { int key; struct node *next; unsigned mark : 2; } *head = 0;
static int table[MAX + 1] = { [0] = 1, [3] = 2 + 1 };
int write_count;

int add(a, b)
    int a, b;
{
    return a + b;
}

static void write_all(int n)
{
    int i;
    EACH(i, n) printf("%d ", table[i]);
    putchar('\n');
}

int compare(const void *a, const void *b)
{
    const int *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

struct node *push(int key)
{
    struct node *made = malloc(sizeof *made + 0);
    made->key = key, made->next = head;
    if (!made->next) made->mark = 1;
    return head = made;
}

int main(void)
{
    int n, i, values[MAX], *p = values, total = 0;
    long long product = 1;
    if (scanf("%d", &n) != 1 || n > MAX) return 1;
    for (i = 0; i < n; i++)
        if (scanf("%d", p++) < 1) goto fail;
    qsort(values, n, sizeof values[0], compare);
again:
    for (i = n; i--;) {
        total = add(total, values[i]);
        switch (values[i] & 3) {
        case 0: total++;
        case 1: total += 2; break;
        case 2:
            if (total > 50) goto done;
            continue;
        default: total -= min(values[i], 3);
        }
        push(values[i]);
    }
    if (total < 10 && n > 0) { total += 10; goto again; }
done:
    while (head && head->key != 0) product = product * (head->key % 7 + 1) % 1000, head = head->next;
    write_all(min(n, 5));
    printf("%d %lld %d\n", total, product, total > 20 ? total < 40 ? 1 : 2 : 3);
    return 0;
fail:
    fprintf(stderr, "bad");
    return EXIT_FAILURE;
}
