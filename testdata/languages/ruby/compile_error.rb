puts(3
