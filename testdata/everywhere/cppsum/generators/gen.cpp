#include <cstdio>
int main(int, char **arguments) { std::printf("%s 7\n", arguments[1]); }
