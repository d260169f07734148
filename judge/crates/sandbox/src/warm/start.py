import sys
def warm():
    usual = set(sys.modules)
    import atexit, ctypes, gc, io, os, struct, types, _socket, _thread, _weakref
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
    # Bound before the script runs, which can replace all of them.
    any_of, has, kind_of, exits, errors, end_now = any, hasattr, type, SystemExit, BaseException, os._exit
    exc_info, with_traceback, stdout, stderr = sys.exc_info, BaseException.with_traceback, sys.stdout, sys.stderr
    identity, objects_of, buffers = id, gc.get_objects, {io.StringIO, io.BytesIO, io.FileIO}
    suspended = {types.GeneratorType, types.CoroutineType, types.AsyncGeneratorType}
    def writes_at_its_end(objects):
        """True if the end of one of these objects may be visible: it has a finalizer, code that waits, or buffered output."""
        kinds = set(map(kind_of, objects))
        classes = {kind for kind in kinds if type in kind.__mro__}
        references = {kind for kind in kinds if _weakref.ref in kind.__mro__}
        found = [each for each in objects if kind_of(each) in classes] if classes else []
        calls = [each.__callback__ for each in objects if kind_of(each) in references] if references else []
        return (any_of(has(kind, "__del__") for kind in kinds.union(found) - buffers) or bool(kinds & suspended)
                or any_of(call is not None and kind_of(call) is not types.BuiltinFunctionType for call in calls))
    # Keeps the lock of the interpreter during the call, where there is a choice.
    system, clone = getattr(ctypes, "PyDLL", ctypes.CDLL)(None).syscall, {"x86_64": 56, "aarch64": 220}[os.uname().machine]
    control = _socket.socket(fileno=3)
    gc.collect()
    is_simple = has(gc, "freeze")
    if is_simple:
        gc.freeze()
    # Modules whose work at the end of the interpreter is visible: they wait for threads, and call functions of C.
    ends, argv = {"threading", "_ctypes"} - set(sys.modules), getattr(sys, "orig_argv", [])
    del argv[argv.index("-c") if "-c" in argv else 0:]
    annotations, loader = "__annotations__" in vars(sys.modules["__main__"]), sys.modules["_frozen_importlib_external"].SourceFileLoader
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
    argv += sys.argv
    if not script:
        script = sys.argv[0]
        code = read() if script != "-c" else compile(sys.argv.pop(1), "<string>", "exec", dont_inherit=True)
    sys.path.insert(0, os.path.dirname(script))
    main = sys.modules["__main__"] = types.ModuleType("__main__")
    main.__loader__ = loader("__main__", script)
    if annotations:
        main.__annotations__ = {}
    main.__dict__.update(__builtins__=__builtins__, __file__=script, __cached__=None)
    # Is no longer among the objects if the program hides them with `gc.freeze`.
    status, mark = 0, []
    try:
        exec(code, main.__dict__)
    except exits as end:
        status = end.code if kind_of(end) is exits else end
        if kind_of(status) not in (int, type(None)):
            raise
        status = status or 0
    except errors as error:
        # Prints the traceback without this function.
        sys.excepthook(kind_of(error), with_traceback(error, exc_info()[2].tb_next), exc_info()[2])
        status, is_simple = 1, False
    if is_simple and not ends.intersection(sys.modules):
        # Ends the interpreter without destroying any object, which would take longest, if the program cannot notice it. An error
        # here occurs again in the ordinary end.
        try:
            if "threading" in sys.modules:
                sys.modules["threading"]._shutdown()
            atexit._run_exitfuncs()
            is_simple = sys.stdout is stdout and sys.stderr is stderr and _thread._count() == 0
            objects = objects_of()
            is_simple = is_simple and not ends.intersection(sys.modules) and identity(mark) in set(map(identity, objects))
            if is_simple and not writes_at_its_end(objects):
                stdout.flush()
                stderr.flush()
                end_now(status)
        except Exception:
            pass
        objects = None
    # The ordinary end destroys the variables of the program first.
    del main, code
    sys.exit(status)
warm()
