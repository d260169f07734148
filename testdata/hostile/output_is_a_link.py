import os

os.symlink("@SECRET@", "/box/work/main")
os.mkfifo("/box/work/pipe")
