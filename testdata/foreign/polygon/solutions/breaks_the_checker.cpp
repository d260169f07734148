#include <iostream>
int main() { std::cout << "x\n"; }
