import sys
def warm():
    usual = set(sys.modules)
    # Since 3.13, `-c` imports it for tracebacks, and a script does not.
    if sys.version_info >= (3, 13):
        usual.discard("linecache")
    import atexit, ctypes, gc, itertools, os, resource, struct, types, _operator, _socket, _thread, _weakref
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
    def standard_streams():
        for stream in sys.__stdin__, sys.__stdout__, sys.__stderr__:
            yield from (stream, stream.buffer, stream.buffer.raw)
    def make_check():
        # Bound before the program runs, which can replace all of them. No object that the program can destroy is among them.
        any_of, apply, size, variables, identity, kind_of, get = any, map, len, vars, id, type, type.__dict__
        same, repeat, objects_of, thread_count, usage = _operator.is_, itertools.repeat, gc.get_objects, _thread._count, resource.getrusage
        function_count, end_functions, count = atexit._ncallbacks, atexit._run_exitfuncs, atexit._ncallbacks()
        modules, bases_of, names_of = sys.modules, get["__mro__"].__get__, get["__dict__"].__get__
        reference, callback_of = _weakref.ref, _weakref.ref.__dict__["__callback__"].__get__
        plain, function = {id(type), id(modules["abc"].ABCMeta)}, types.BuiltinFunctionType
        waiting = types.GeneratorType, types.CoroutineType, types.AsyncGeneratorType, _weakref.ProxyType, _weakref.CallableProxyType
        waiting, acting = set(map(id, waiting)), {"__del__", "__release_buffer__"}
        # Modules whose work at the end may be visible: they wait for threads, and call functions of C. Threads that run are also seen
        # if an interpreter imports the module at its start.
        ends, values = {"threading", "_ctypes"} - set(modules), {id(str), id(int)}
        original, attributes = [id(sys.stdout), id(sys.stderr)], [len(vars(stream)) for stream in standard_streams()]
        # In KiB. A copy begins with some MiB less than the waiting interpreter. Destroying what is in more memory takes milliseconds,
        # which belong to the time of the program.
        max_memory = usage(0).ru_maxrss
        def act_at_end(objects):
            """True if the end of one of these objects may be visible: it has a finalizer, or code or a callback that waits. Calls no
            code of the program: it asks the types themselves, and compares by identity."""
            kinds = {identity(kind): kind for kind in apply(kind_of, objects)}
            if not waiting.isdisjoint(kinds) or any_of(identity(kind_of(kind)) not in plain for kind in kinds.values()):
                return True
            classes = [thing for thing in objects if identity(kind_of(thing)) in plain]
            if any_of(not acting.isdisjoint(names_of(base)) for kind in [*kinds.values(), *classes] for base in bases_of(kind)):
                return True
            references = {key for key, kind in kinds.items() if any_of(base is reference for base in bases_of(kind))}
            calls = [callback_of(thing) for thing in objects if identity(kind_of(thing)) in references] if references else []
            # Abstract classes keep weak references whose callback only removes an entry.
            return any_of(call is not None and not (kind_of(call) is function and call.__name__ == "_destroy") for call in calls)
        def is_unnoticed(mark):
            """True if nothing of the program acts at the end of the interpreter, or notices it."""
            if usage(0).ru_maxrss > max_memory or thread_count() or function_count() != count:
                return False
            # Those that were registered at the start, such as one that writes what the program logged.
            end_functions()
            if gc.callbacks or gc.garbage or gc.get_debug() or not ends.isdisjoint(modules):
                return False
            found = [variables(stream) for stream in standard_streams()]
            if [identity(sys.stdout), identity(sys.stderr)] != original or [*apply(size, found)] != attributes:
                return False
            if any_of(identity(kind_of(value)) not in values for names in found for value in names.values()):
                return False
            objects = objects_of()
            return any_of(apply(same, objects, repeat(mark))) and not act_at_end(objects)
        return is_unnoticed
    # Keeps the lock of the interpreter during a call, where there is a choice.
    library, clone = getattr(ctypes, "PyDLL", ctypes.CDLL)(None), {"x86_64": 56, "aarch64": 220}[os.uname().machine]
    system, control, is_unnoticed = library.syscall, _socket.socket(fileno=3), None
    end, end_now, trace, profile = SystemExit, os._exit, sys.gettrace, sys.getprofile
    errors, with_traceback, exc_info = BaseException, BaseException.with_traceback, sys.exc_info
    if hasattr(gc, "freeze"):
        open_file, run_file, run_text = library.fopen, library.PyRun_SimpleFileExFlags, library.PyRun_SimpleStringFlags
        open_file.restype = ctypes.c_void_p
        run_file.argtypes = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int, ctypes.c_void_p
        is_unnoticed = make_check()
    gc.collect()
    if is_unnoticed:
        gc.freeze()
    argv = getattr(sys, "orig_argv", [])
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
    # Is no longer among the objects if the program hides them with `gc.freeze`.
    is_ready, mark = script is not None, []
    script = script or sys.argv[0]
    sys.path.insert(0, os.path.dirname(script))
    main = types.ModuleType("__main__")
    if annotations:
        main.__annotations__ = {}
    variables = vars(main)
    variables["__builtins__"] = __builtins__
    sys.modules["__main__"] = main
    # Only the list of modules refers to the module, so that it ends as usual.
    del main
    if is_unnoticed and not is_ready:
        # The functions by which the interpreter itself runs a program, with everything that belongs to the end of its code.
        del variables
        if script == "-c":
            failed = run_text(os.fsencode(sys.argv.pop(1)), None)
        else:
            file = open_file(os.fsencode(script), b"rb")
            failed = not file or run_file(file, os.fsencode(script), 1, None)
        if failed:
            raise end(1)
    else:
        if not is_ready:
            code = read() if script != "-c" else compile(sys.argv.pop(1), "<string>", "exec", dont_inherit=True)
        variables.update(__file__=script, __cached__=None, __loader__=loader("__main__", script))
        failure = None
        try:
            exec(code, variables)
        except end:
            raise
        except errors as error:
            failure = with_traceback(error, exc_info()[2].tb_next)
        finally:
            # As after the code of every script, before its exception is reported.
            for stream in sys.stderr, sys.stdout:
                try:
                    stream.flush()
                except Exception:
                    pass
        if failure is not None:
            # Prints the traceback without this function.
            sys.excepthook(type(failure), failure, failure.__traceback__)
            raise end(1)
        del variables, code
    # Ends the interpreter without destroying any object, which would take longest, if the program cannot notice it. An error here
    # occurs again in the ordinary end.
    try:
        if is_unnoticed and not trace() and not profile() and is_unnoticed(mark):
            sys.stdout.flush()
            sys.stderr.flush()
            library.fflush(None)
            end_now(0)
    except Exception:
        pass
warm()
