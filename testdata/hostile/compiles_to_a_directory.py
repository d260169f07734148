import os

os.mkdir('/box/work/main')
