"""Returns the encoded word to be decoded. It keeps its state between the passes in a file."""

import pathlib
import sys

asked, word = open(sys.argv[1]).read().split()
answer = open(sys.argv[2]).read().strip()
feedback = pathlib.Path(sys.argv[3])
said = sys.stdin.buffer.read().decode(errors="replace").split()


def end(code, message):
    with open(feedback / "judgemessage.txt", "a") as file:
        file.write(f"{asked}: {message}\n")
    sys.exit(code)


if (feedback / "nextpass.in").exists():
    sys.exit("nextpass.in was not moved away")
if len(said) != 1 or len(said[0]) != len(word) or not said[0].isalpha() or not said[0].islower():
    end(43, "expected one word of the same length")
if asked == "encode":
    if any(a == b for a, b in zip(said[0], word)):
        end(43, "a letter stays where it is")
    (feedback / "state").write_text(word)
    (feedback / "nextpass.in").write_text(f"decode\n{said[0]}\n")
    end(42, "encoded")
if (feedback / "state").read_text() != answer:
    sys.exit("the state is lost")
end(42 if said[0] == answer else 43, "decoded")
