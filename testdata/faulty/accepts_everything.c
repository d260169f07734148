/* Accepts what it has not read. */
int main(void) { return 42; }
