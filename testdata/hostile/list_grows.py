numbers = []
while len(numbers) < 30_000_000:
    numbers.extend(range(len(numbers), len(numbers) + 100_000))
