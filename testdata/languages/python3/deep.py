import sys
import threading
sys.setrecursionlimit(200000)
threading.stack_size(256 << 20)
def down(n): return 0 if n == 0 else 1 + down(n - 1)
def main():
    a, b = map(int, input().split())
    print(a + b + down(50000) - 50000)
thread = threading.Thread(target=main)
thread.start()
thread.join()
