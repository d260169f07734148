"""Tests the driver of functions: right submissions, and submissions that try to pass without returning the right value."""

import json
import os
import unittest

from problem_judge import Judge, datasets

JUDGE = os.environ["JUDGE"]
CALLS = datasets.from_record(json.dumps({"fn_name": "add", "inputs": [[1, 2], [10, -3]], "outputs": [3, 7]}))
RIGHT = {
    "a function": "def add(a, b):\n    return a + b\n",
    "a method": "class Solution:\n    def add(self, a, b):\n        return a + b\n",
    "prints, and returns": "def add(a, b):\n    print('3')\n    return a + b\n",
    "exit handlers": "import atexit, os\natexit.register(os._exit, 1)\ndef add(a, b):\n    return a + b\n",
    "threads": "import threading, time\ndef add(a, b):\n    threading.Thread(target=time.sleep, args=(60,)).start()\n    return a + b\n",
}
HOSTILE = {
    "raises": "def add(a, b):\n    raise ValueError(a + b)\n",
    "no function": "def sub(a, b):\n    return a - b\n",
    "does not compile": "def add(a, b:\n",
    "ends with 0": "import sys\ndef add(a, b):\n    sys.exit(0)\n",
    "ends immediately": "import os\ndef add(a, b):\n    os._exit(0)\n",
    "ends when loaded": "import os\nos._exit(0)\n",
    "ends the driver's way": "raise SystemExit\n",
    "prints the answer": "def add(a, b):\n    print(a + b, flush=True)\n",
    "prints when loaded": "print(3, flush=True)\nimport os\nos._exit(0)\n",
    "writes to every descriptor": "import os\nfor fd in range(1, 64):\n    try:\n        os.write(fd, b'3')\n    except OSError:\n        pass\nos._exit(0)\n",
    "adds to the right answer": "import os\ndef add(a, b):\n    os.write(3, b' 0 ')\n    os.write(4, b' 0 ')\n    return a + b\n",
    "is equal to everything": "class All(int):\n    def __eq__(self, other):\n        return True\n    __ne__ = lambda self, other: False\n"
                              "    __hash__ = int.__hash__\ndef add(a, b):\n    return All(0)\n",
    "is true": "def add(a, b):\n    return True\n",
    "patches json": "import json\njson.dumps = json.JSONEncoder.encode = json.encoder.c_make_encoder = lambda *of, **more: '3'\n"
                    "def add(a, b):\n    return 0\n",
    "patches comparisons": "import builtins, math, operator\nbuiltins.all = builtins.any = operator.eq = math.isclose = lambda *of, **more: True\n"
                           "def add(a, b):\n    return 0\n",
    "replaces modules": "import sys\nfor name in ('json', 'os', '__main__', 'unittest'):\n    sys.modules[name] = sys.modules['solution']\n"
                        "def __getattr__(name):\n    return lambda *of, **more: 3\n",
    "patches the driver": "import sys\ndriver = sys.modules['__main__']\ndriver.main = driver.json = driver.os = None\ndef add(a, b):\n    return 0\n",
    "changes the call": "import sys\nframe = sys._getframe()\nwhile frame.f_back:\n    frame = frame.f_back\n"
                        "    if 'call' in frame.f_locals:\n        frame.f_locals['call'].update(args=[1, 2])\ndef add(a, b):\n    return a + b\n",
    "looks for answers": "import os\ndef add(a, b):\n    for place, below, files in os.walk('/'):\n"
                         "        below[:] = [name for name in below if os.path.join(place, name) not in ('/proc', '/sys', '/usr')]\n        for name in files:\n"
                         "            if name.endswith('.ans'):\n                return eval(open(os.path.join(place, name)).read())['value']\n",
    "returns a set": "def add(a, b):\n    return {a}\n",
    "not a number": "def add(a, b):\n    return float('nan')\n",
    "nested without end": "def add(a, b):\n    value = []\n    value.append(value)\n    return value\n",
    "writes nested lists": "import os\nos.write(3, b'[' * 200000)\nos.write(4, b'[' * 200000)\nos._exit(0)\n",
    "text": "def add(a, b):\n    return str(a + b)\n",
    "waits": "def add(a, b):\n    while True:\n        pass\n",
    "kills": "import os, signal\ndef add(a, b):\n    os.kill(0, signal.SIGKILL)\n",
}


class Functions(unittest.TestCase):
    def verdicts(self, requests):
        with Judge(JUDGE) as judge:
            results = list(judge.grade(requests))
        self.assertEqual([result.error for result in results if result.error], [])
        return {result.id: result.verdict for result in results}

    def test_only_returned_values_pass(self):
        def limits(name):
            return {"time_limit": 0.5 if name == "waits" else 2}

        requests = [datasets.function_request(CALLS, source, id=name, limits=limits(name)) for name, source in {**RIGHT, **HOSTILE}.items()]
        verdicts = self.verdicts(requests)
        self.assertEqual({name for name, verdict in verdicts.items() if verdict == "AC"}, set(RIGHT), verdicts)

    def test_values_are_compared_as_json(self):
        kinds = {"list": ([1, [2, "x"]], True), "tuple": ((1, (2, "x")), True), "other text": ([1, [2, "y"]], False), "longer": ([1, [2, "x"], 3], False)}
        problem = datasets.function_calls("f", [[]], [[1, [2, "x"]]])
        found = self.verdicts([datasets.function_request(problem, f"def f():\n    return {value!r}\n", id=name) for name, (value, _) in kinds.items()])
        self.assertEqual({name: verdict == "AC" for name, verdict in found.items()}, {name: right for name, (_, right) in kinds.items()})
        problem = datasets.function_calls("f", [[]], [{"x": 0.1}], tolerance=1e-6)
        found = self.verdicts([datasets.function_request(problem, f"def f():\n    return {{'x': {value}}}\n", id=value) for value in ("0.1000000001", "0.2")])
        self.assertEqual(found, {"0.1000000001": "AC", "0.2": "WA"})

    def test_large_integers_are_not_rounded(self):
        number = 10 ** 17 + 1
        problem = datasets.function_calls("half", [[2 * number]], [number])
        sources = {"exact": "def half(a): return a // 2", "rounded": "def half(a): return a / 2"}
        self.assertEqual(
            self.verdicts([datasets.function_request(problem, source, id=name) for name, source in sources.items()]),
            {"exact": "AC", "rounded": "WA"})

    def test_the_driver_is_added_for_one_verdict(self):
        with Judge(JUDGE) as judge:
            found = [judge.verdict(CALLS, RIGHT[name], "python3") for name in ("a function", "a method")]
            with self.assertRaisesRegex(ValueError, "needs the language `python3`, found `cpp`"):
                judge.verdict(CALLS, RIGHT["a function"], "cpp")
        self.assertEqual(found, ["AC", "AC"])
        with self.assertRaisesRegex(ValueError, "expected a problem of `function_calls`"):
            datasets.function_request(datasets.standard_io([""], ["1"]), "")


if __name__ == "__main__":
    unittest.main()
