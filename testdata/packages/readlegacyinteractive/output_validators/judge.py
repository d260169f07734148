import sys
secret = int(open(sys.argv[1]).read())
for _ in range(10):
    line = sys.stdin.readline()
    if not line:
        break
    guess = int(line)
    if guess == secret:
        print("equal", flush=True)
        sys.exit(42)
    print("less" if secret < guess else "more", flush=True)
sys.exit(43)
