import os, sys
feedback = sys.argv[3]
start = int(open(sys.argv[2]).read())
last = int(open(sys.argv[1]).read())
said = int(sys.stdin.read())
if said != last - 1:
    sys.exit(43)
if said > 0:
    with open(os.path.join(feedback, "nextpass.in"), "w") as file:
        file.write(f"{said}\n")
sys.exit(42)
