// Checks whether the output is a number, but not whether it is the right one.
#include <cctype>
#include <cstdio>
int main() {
    int letter = getchar();
    if (!isdigit(letter)) return 43;
    while (isdigit(letter)) letter = getchar();
    while (isspace(letter)) letter = getchar();
    return letter == EOF ? 42 : 43;
}
