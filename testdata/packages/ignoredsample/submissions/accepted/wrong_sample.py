# Wrong on the sample, which does not count.
number = int(input())
print("none" if number == 1 else number)
