"""Tests conversions of datasets: a sample of each kind, and records that cannot be converted."""

import os
import unittest

from problem_judge import Judge, Request, datasets

JUDGE = os.environ["JUDGE"]


class Conversions(unittest.TestCase):
    def verdicts(self, requests):
        with Judge(JUDGE) as judge:
            results = list(judge.grade(requests))
        self.assertEqual([result.error for result in results if result.error], [])
        return {result.id: result.verdict for result in results}

    def test_standard_input_and_output(self):
        # A stand-in for the header, with the streams that this checker needs.
        header = "#include <cstdio>\n#include <cstdlib>\nstruct Stream { FILE *file; int readInt() { int n; if (fscanf(file, \"%d\", &n) != 1) exit(2); return n; } };\n" \
                 "inline Stream inf, ouf, ans;\ninline void registerTestlibCmd(int, char **v) { inf.file = fopen(v[1], \"r\"); ouf.file = fopen(v[2], \"r\"); }\n" \
                 "enum { _ok, _wa };\n[[noreturn]] inline void quitf(int result, const char *) { exit(result); }\n"
        checker = '#include "testlib.h"\nint main(int c, char **v) { registerTestlibCmd(c, v); int n = inf.readInt(), a = ouf.readInt(), b = ouf.readInt();\n' \
                  "  quitf(a + b == n && a > 0 && b > 0 ? _ok : _wa, \"sum\"); }\n"
        problems = {
            "several": datasets.from_record({"inputs": ["5\n"], "outputs": [["1 4\n", "4 1\n", "2 3"]]}),
            "checker": datasets.standard_io(["5\n"], ["1 4\n"], testlib_checker=checker, testlib_h=header),
            "exact": datasets.from_record({"inputs": ["5\n"], "outputs": ["4  1"]}),
            "float": datasets.standard_io(["5\n"], ["4.0000001 1"], tolerance=1e-6),
            "other case": datasets.standard_io(["5\n"], ["Yes"]),
        }
        sources = {"4 1": "print(4, 1)\n", "3 3": "print(3, 3)\n", "nothing": "", "yes": "print('yes')\n"}
        found = self.verdicts([Request(problem=problem, source=source, language="python3", id=f"{kind}: {name}")
                               for kind, problem in problems.items() for name, source in sources.items()])
        right = {f"{kind}: 4 1" for kind in ("several", "checker", "exact", "float")}
        self.assertEqual({name for name, verdict in found.items() if verdict == "AC"}, right, found)

    def test_test_cases_without_expected_output_are_refused(self):
        for outputs in (["1", ""], [["1"], []], [["1", " \n"], "1"]):
            with self.assertRaisesRegex(ValueError, "test case [12] expects nothing"):
                datasets.standard_io(["", ""], outputs)
        checked = datasets.standard_io(["3\n"], ["\n"], testlib_checker="int main() {}")
        self.assertEqual(checked["tests"], [{"input": "3\n", "output": "\n"}])
        for output in (None, ""):
            with self.assertRaisesRegex(ValueError, "test case 1 expects nothing"):
                datasets.function_calls("f", [[]], [output])
        for inputs, outputs in (([], []), ([[]], []), ([[]], [1, 2])):
            with self.assertRaisesRegex(ValueError, "expected equal numbers"):
                datasets.function_calls("f", inputs, outputs)

    def test_arguments_may_be_lines_of_json(self):
        lines = datasets.from_record({"fn_name": "f", "inputs": ["[1, 2]\n\"x\"\n"], "outputs": ["[3]"]})
        self.assertEqual(lines, datasets.function_calls("f", [[[1, 2], "x"]], [[3]]))

    def test_records_that_cannot_be_converted_are_refused(self):
        for record, message in (
            ({"inputs": [["1", "2"]], "outputs": ["3"]}, "test case 1 is not text"),
            ({"inputs": ["1"], "outputs": [None]}, "test case 1 expects nothing"),
            ({"inputs": "1", "outputs": ["3"]}, "expected a list `inputs`"),
            ({"inputs": ["1"]}, "expected a list `outputs`"),
            ({"inputs": ["1"], "outputs": [2]}, "the output of test case 1 is not text"),
            ("[]", "expected an object with `inputs` and `outputs`, found `list`"),
            (None, "expected an object with `inputs` and `outputs`, found `NoneType`"),
            ({"fn_name": "f", "inputs": ["1"], "outputs": [2]}, "its output must be JSON text too"),
            ({"fn_name": "f", "inputs": [[{1}]], "outputs": [2]}, "test case 1 has a value that JSON lacks"),
            ({"fn_name": "", "inputs": [[1]], "outputs": [3]}, "expected the name of a function, found ''"),
            ({"fn_name": "f", "inputs": [1], "outputs": [3]}, "not a list of arguments"),
            ({"fn_name": "f", "inputs": [[1]], "outputs": [float("nan")]}, "JSON"),
        ):
            with self.assertRaisesRegex(ValueError, message):
                datasets.from_record(record)
        with self.assertRaisesRegex(ValueError, "`testlib_h` has no effect"):
            datasets.standard_io(["1"], ["1"], testlib_h="")
        with self.assertRaisesRegex(ValueError, "`tolerance` has no effect"):
            datasets.standard_io(["1"], ["1"], testlib_checker="", tolerance=0.1)


if __name__ == "__main__":
    unittest.main()
