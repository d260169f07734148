#include <stdio.h>

int main(void) {
    int n, a;
    double sum = 0;
    scanf("%d", &n);
    for (int i = 0; i < n; i++) {
        scanf("%d", &a);
        sum += a;
    }
    printf("%.9f\n", sum / n);
}
