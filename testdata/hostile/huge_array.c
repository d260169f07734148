int main[1u << 29] = {1};
