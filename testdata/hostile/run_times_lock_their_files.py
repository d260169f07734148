import fcntl
import os
import sqlite3

with open("hostile-lock", "w+") as file:
    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    fcntl.lockf(file, fcntl.LOCK_UN)
    os.lockf(file.fileno(), os.F_TLOCK, 10)
    try:
        fcntl.flock(open("hostile-lock"), fcntl.LOCK_SH | fcntl.LOCK_NB)
        print("LOCKED TWICE")
    except BlockingIOError:
        print("locked once")
for mode in ("delete", "wal"):
    one, other = (sqlite3.connect("hostile-database", timeout=0) for _ in range(2))
    one.execute(f"pragma journal_mode = {mode}")
    one.execute("create table if not exists numbers (number)")
    one.commit()
    one.execute("begin exclusive")
    one.execute("insert into numbers values (1)")
    try:
        other.execute("insert into numbers values (2)")
        print("WROTE TWICE")
    except sqlite3.OperationalError as error:
        print(error)
    one.commit()
    print(other.execute("select count(*) from numbers").fetchone()[0])
    one.close()
    other.close()
