def expected(path):
    with open(path) as answer:
        return answer.read().split()
