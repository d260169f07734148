x = fscanf(stdin, "%d");
printf("%d\n", sum(x));
