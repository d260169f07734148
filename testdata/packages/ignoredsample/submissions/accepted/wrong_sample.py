# Wrong in the sample, which counts for nothing.
number = int(input())
print("none" if number == 1 else number)
