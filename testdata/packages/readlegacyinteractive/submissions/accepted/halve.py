low, high = 1, 100
while True:
    middle = (low + high) // 2
    print(middle, flush=True)
    answer = input()
    if answer == "equal":
        break
    if answer == "less":
        high = middle - 1
    else:
        low = middle + 1
