import numpy
print(numpy.array(input().split(), dtype=int).sum())
