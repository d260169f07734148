with open('main', 'w') as program:
    program.write('neither ELF nor script')
    program.flush()
    import os

    os.chmod('main', 0o4755)
