"""Calls a function of `solution.py` with the arguments on standard input, and writes the returned value as JSON.

Runs in the process of the submission, so nothing here is safe from it. The expected value is in another process, that of
`checker.py`, which accepts exactly one JSON value.
"""

import json
import os
import sys


def main(loads=json.loads, dumps=json.dumps, leave=os._exit):
    call = loads(sys.stdin.buffer.read())
    # Output of the submission goes to standard error: only a returned value is an answer.
    answer = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(2, 1)
    import solution

    owner = solution.Solution() if hasattr(solution, "Solution") else solution
    try:
        answer.write(dumps(getattr(owner, call["fn_name"])(*call["args"])))
    except SystemExit as error:
        raise RuntimeError("the function ended the program") from error
    answer.close()
    # Skips exit handlers of the submission.
    leave(0)


if __name__ == "__main__":
    main()
