int main(void) { return }
