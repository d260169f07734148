"""Wrong: keeps 32 bits of each sum, as a translation from another language might."""


def cut_off(number):
    return (number + 2**31) % 2**32 - 2**31


input()
numbers = list(map(int, input().split()))
best = ending_here = numbers[0]
for number in numbers[1:]:
    ending_here = cut_off(number + max(ending_here, 0))
    best = max(best, ending_here)
print(best)
