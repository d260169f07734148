// Reserves memory for as many numbers as the output announces.
#include <cstdio>
#include <vector>
static bool read_numbers(FILE *file, std::vector<int> &numbers) {
    int count, number;
    char rest[2];
    if (fscanf(file, "%d", &count) != 1) return false;
    numbers.reserve(count);
    for (int i = 0; i < count; i++) {
        if (fscanf(file, "%d", &number) != 1) return false;
        numbers.push_back(number);
    }
    return fscanf(file, "%1s", rest) != 1;
}
int main(int, char **argv) {
    std::vector<int> answer, output;
    FILE *file = fopen(argv[2], "r");
    if (!file || !read_numbers(file, answer)) return 1;
    return read_numbers(stdin, output) && output == answer ? 42 : 43;
}
