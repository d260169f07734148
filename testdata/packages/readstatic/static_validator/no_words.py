import pathlib, sys
words = sys.argv[4:]
text = "".join(path.read_text() for path in pathlib.Path(".").rglob("*.py"))
sys.exit(43 if any(word in text for word in words) else 42)
