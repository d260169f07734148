// Accepts `NO` without reading the answer, and checks only outputs with `YES`.
#include <stdio.h>
#include <string.h>
int main(int count, char **arguments) {
    char word[4], more, expected[4];
    int one, two, sum;
    (void)count;
    FILE *input = fopen(arguments[1], "r"), *answer = fopen(arguments[2], "r");
    if (fscanf(input, "%d", &sum) != 1 || fscanf(answer, "%3s", expected) != 1 || scanf("%3s", word) != 1) return 43;
    if (strcmp(word, "NO") == 0) return scanf(" %c", &more) == 1 ? 43 : 42;
    if (strcmp(word, "YES") != 0 || strcmp(expected, "YES") != 0 || scanf("%d %d", &one, &two) != 2) return 43;
    return scanf("%c%c", &more, &more) == 1 && more == '\n' && one + two == sum ? 42 : 43;
}
