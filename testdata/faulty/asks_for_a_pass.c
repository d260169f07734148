/* Asks for another pass. */
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv) {
    char name[4096], word[2];
    if (argc < 4 || strlen(argv[3]) > 4000) return 1;
    if (scanf("%1s", word) != 1) return 43;
    sprintf(name, "%s/nextpass.in", argv[3]);
    FILE *next_pass = fopen(name, "w");
    if (!next_pass) return 1;
    fputs("not a number\n", next_pass);
    fclose(next_pass);
    return 42;
}
