// Numbers of the permutation may repeat: only their range and their number are checked.
#include <fstream>
#include <iostream>

int main(int, char **argv) {
	std::ifstream answers(argv[2]);
	int size = 0, read = 0;
	std::string token;
	while (answers >> token) size++;
	for (; std::cin >> token; read++) {
		if (token.size() != 1 || token[0] < '1' || token[0] > '0' + size) return 43;
	}
	return read == size ? 42 : 43;
}
