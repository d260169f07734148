while (number := int(input())) != 0:
    print(2 * number, flush=True)
