int main(void) { retrun 42; }
