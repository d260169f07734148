import sys
def warm():
    usual = set(sys.modules)
    import atexit, ctypes, gc, io, os, struct, types, _socket
    script, hooks = (sys.argv[1:] or [None])[0], []
    def read(*flags):
        with open(script, "rb") as file:
            return compile(file.read(), script, "exec", *flags, dont_inherit=True)
    # Without the script's directory: none of its own modules may run here.
    del sys.path[0]
    def import_library():
        import ast, importlib.util
        library, register = os.path.dirname(os.__file__) + os.sep, os.register_at_fork
        def has(name):
            try:
                origin = importlib.util.find_spec(name).origin or ""
            except Exception:
                return False
            return origin in ("built-in", "frozen") or origin.startswith(library) and "-packages" not in origin
        # Records what modules do in a forked child, such as taking a new seed for `random`.
        def keep(**given):
            hooks.append(given.get("after_in_child"))
            register(**given)
        os.register_at_fork = keep
        # A module next to the script hides the library's own of the same name, also from other modules of the library.
        hides = any(has(entry.partition(".")[0]) for entry in os.listdir(os.path.dirname(script) or "."))
        for node in [] if hides else read(ast.PyCF_ONLY_AST).body:
            names = [node.module] if isinstance(node, ast.ImportFrom) and not node.level else []
            names += [name.name for name in node.names] if isinstance(node, ast.Import) else []
            for name in names:
                try:
                    if has(name.partition(".")[0]) and name not in ("this", "antigravity"):
                        __import__(name)
                except Exception:
                    pass
        os.register_at_fork = register
    if script:
        code = read()
        import_library()
    else:
        # The first compilation makes the types of syntax trees, which would otherwise be done after each fork.
        compile("", "", "exec", dont_inherit=True)
        # The script must not notice what was imported for waiting, such as an attribute of a package that is a module.
        for name in set(sys.modules) - usual:
            package, _, module = name.rpartition(".")
            if package in usual:
                vars(sys.modules[package]).pop(module, None)
            del sys.modules[name]
    # Keeps the lock of the interpreter during the call, where there is a choice.
    system, clone = getattr(ctypes, "PyDLL", ctypes.CDLL)(None).syscall, {"x86_64": 56, "aarch64": 220}[os.uname().machine]
    control = _socket.socket(fileno=3)
    gc.collect()
    getattr(gc, "freeze", int)()
    pid, encoding = 0, sys.getfilesystemencoding()
    while True:
        # Zero at first: the program waits. The child is init's, which learns from the kernel how it ended.
        control.send(struct.pack("i", pid))
        args, passed, _, _ = control.recvmsg(192 << 10, _socket.CMSG_SPACE(12))
        if not args:
            os._exit(0)
        streams = struct.unpack("3i", passed[0][2])
        pid = system(clone, 0x8000 | 17, 0, 0, 0, 0)  # CLONE_PARENT | SIGCHLD
        if pid == 0:
            break
        for stream in streams:
            os.close(stream)
    for stream in range(3):
        os.dup2(streams[stream], stream)
        os.close(streams[stream])
    control.close()
    os.setpgid(0, 0)
    for hook in filter(None, hooks):
        hook()
    sys.argv[:] = args[:-1].decode(encoding, "surrogateescape").split("\0")
    if not script:
        script = sys.argv[0]
        code = read() if script != "-c" else compile(sys.argv.pop(1), "<string>", "exec", dont_inherit=True)
    sys.path.insert(0, os.path.dirname(script))
    main = sys.modules["__main__"] = types.ModuleType("__main__")
    main.__dict__.update(__file__=script, __builtins__=__builtins__, __cached__=None)
    status = 0
    try:
        exec(code, main.__dict__)
    except SystemExit as end:
        if not isinstance(end.code, (int, type(None))):
            raise
        status = end.code or 0
    except BaseException as error:
        # Prints the traceback without this function.
        sys.excepthook(type(error), error.with_traceback(error.__traceback__.tb_next), error.__traceback__)
        status = 1
    if hasattr(gc, "freeze"):
        # Ends the interpreter without destroying the objects from before the run, which would take longest. An error here
        # occurs again in the ordinary end.
        try:
            if "threading" in sys.modules:
                sys.modules["threading"]._shutdown()
            atexit._run_exitfuncs()
            sys.stdout.flush()
            # Text streams are flushed before the byte streams below them.
            made = gc.get_objects()
            for kind in (io.TextIOWrapper, io.BufferedWriter, io.BufferedRandom):
                for file in [each for each in made if type(each) is kind and not each.closed]:
                    file.flush()
            del sys.modules["__main__"], main, made
            gc.collect()
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(status)
        except Exception:
            pass
    sys.exit(status)
warm()
