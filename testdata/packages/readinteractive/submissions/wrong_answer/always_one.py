for _ in range(10):
    print(1, flush=True)
    input()
