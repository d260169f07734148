// Calls `abs`, which is for integers: every difference below 1 is 0.
#include <stdio.h>
#include <stdlib.h>
int main(int count, char **arguments) {
    (void)count;
    FILE *file = fopen(arguments[2], "r");
    double expected, found;
    char more;
    if (fscanf(file, "%lf", &expected) != 1 || scanf("%lf", &found) != 1 || scanf(" %c", &more) == 1) return 43;
    if (!(found > -1e6 && found < 1e6)) return 43;
    return abs((int)(expected - found)) < 1e-6 ? 42 : 43;
}
