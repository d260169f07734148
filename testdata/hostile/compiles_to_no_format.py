import os

with os.fdopen(os.open('main', os.O_WRONLY | os.O_CREAT, 0o755), 'w') as program:
    program.write('neither ELF nor script')
try:
    os.chmod('main', 0o4755)
except PermissionError:
    # Without a separate user for each slot, programs must not change modes.
    pass
