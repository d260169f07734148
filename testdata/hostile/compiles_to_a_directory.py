import os

os.mkdir('main')
