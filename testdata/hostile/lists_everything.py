import os

base = ("bin", "sbin", "usr", "lib", "nix", "gnu", "root", "home", "opt")
print(*sorted(name for name in os.listdir("/") if not name.startswith(base)))
print(*sorted(os.listdir("/program")), *sorted(os.listdir("/judge")), *sorted(os.listdir(".")), *sorted(os.listdir("/tmp")))
print(os.uname().nodename, os.getpid(), os.getppid(), os.getcwd())
