import os

os.symlink("@SECRET@", "main")
os.mkfifo("pipe")
