with open('/box/work/main', 'w') as program:
    program.write('neither ELF nor script')
    program.flush()
    import os

    os.chmod('/box/work/main', 0o4755)
