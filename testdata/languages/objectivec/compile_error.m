int main(void) { [undeclared x]; }
