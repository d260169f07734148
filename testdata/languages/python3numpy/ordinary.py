import datetime, re
import numpy as np
a, b = map(int, input().split())
matrix = np.arange(250000.0).reshape(500, 500)
assert np.allclose(matrix @ np.eye(500), matrix) and np.linalg.matrix_rank(np.eye(50)) == 50
assert abs(np.fft.ifft(np.fft.fft(matrix[1])).real - matrix[1]).max() < 1e-6
assert re.match(r"a\d+$", "a12") and datetime.datetime.now().year >= 2000
total = sum(int(np.ones(1 << 17).sum()) >> 17 for _ in range(200))
print(a + b + total - 200)
