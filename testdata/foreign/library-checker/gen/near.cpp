#include <cstdlib>
#include <iostream>

#include "../params.h"

int main(int, char **words) {
    std::cout << MOST - std::atoi(words[1]) << ' ' << MOST << '\n';
}
