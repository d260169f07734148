#include <iostream>

#include "params.h"

int main() {
    long long a, b;
    return std::cin >> a >> b && 1 <= a && a <= MOST && 1 <= b && b <= MOST ? 0 : 1;
}
