/* Computes the sum itself, and so contradicts the answers. */
#include <stdio.h>

int main(int argc, char **argv) {
    long a, b, said;
    char path[4096];
    FILE *input = argc > 3 ? fopen(argv[1], "r") : 0;
    if (!input || fscanf(input, "%ld %ld", &a, &b) != 2) return 1;
    if (scanf("%ld", &said) == 1 && said == a + b) return 42;
    snprintf(path, sizeof path, "%sjudgemessage.txt", argv[3]);
    FILE *message = fopen(path, "w");
    if (!message) return 1;
    fprintf(message, "expected %ld\n", a + b);
    fclose(message);
    return 43;
}
