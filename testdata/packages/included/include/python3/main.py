# Begins the program: runs the submission in a separate process, with a table of the package.
import subprocess
import sys

if len(sys.argv) == 1:
    with open("tables/factor.txt") as table:
        factor = table.read().strip()
    sys.exit(subprocess.run([sys.executable, sys.argv[0], factor]).returncode)
else:
    import solve
    from provided import factor

    print(solve.times(int(input()), factor()))
