// Writes the input of the next pass before it has decided whether there is one.
#include <cstdio>
#include <string>
int main(int, char **argv) {
    char word[8], rest[2];
    FILE *next_pass = fopen((std::string(argv[3]) + "/nextpass.in").c_str(), "w");
    if (!next_pass) return 1;
    fputs("7\n", next_pass);
    fclose(next_pass);
    return scanf("%7s", word) == 1 && word == std::string("52717") && scanf("%1s", rest) != 1 ? 42 : 43;
}
