import os

writable = set()
for directory, directories, files in os.walk("/"):
    if directory in ("/proc", "/usr") or directory.startswith(("/lib", "/root", "/home", "/nix", "/opt")):
        directories.clear()
        continue
    if os.access(directory, os.W_OK) and directory != "/box":
        writable.add(directory)
    for name in files:
        path = os.path.join(directory, name)
        if os.access(path, os.W_OK) and not directory.startswith("/dev"):
            writable.add(path)
print(*sorted(writable))
print(*sorted(os.listdir("/dev")))
