// Reads the expected numbers, and does not check the end of the file.
#include <cstdio>
#include <cstring>
int main() {
    char line[16];
    if (!fgets(line, sizeof line, stdin)) return 43;
    size_t digits = strspn(line, "0123456789");
    bool is_number = (digits == 1 || (digits == 2 && line[0] != '0')) && strcmp(line + digits, "\n") == 0;
    return is_number ? 42 : 43;
}
