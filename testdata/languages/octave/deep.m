1;
function depth = down(n)
  if n == 0 depth = 0; else depth = 1 + down(n - 1); end
end
x = fscanf(stdin, "%d");
printf("%d\n", sum(x) + down(200) - 200);
