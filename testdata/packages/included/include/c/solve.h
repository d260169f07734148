int times(int number, int factor);
