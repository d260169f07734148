import sys
results = [line.split() for line in sys.stdin]
print("AC" if all(verdict == "AC" for verdict, _ in results) else "WA", sys.argv[1])
