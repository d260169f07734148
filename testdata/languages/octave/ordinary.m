x = fscanf(stdin, "%d");
seen = containers.Map("KeyType", "int32", "ValueType", "int32");
for i = 1:1000 seen(mod(i, 10)) = i; end
caught = 0;
try error("x"); catch caught = 1; end
if seen.Count != 10 || isempty(regexp("a12", "^a[0-9]+$")) || time() < 1e9 exit(4); end
total = 0;
for i = 1:200 total += numel(zeros(1, 131072)) / 131072; end
printf("%d\n", sum(x) + caught - 1 + total - 200);
