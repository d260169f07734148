import urllib.request

address = "http://169.254.169.254/latest/meta-data/iam/security-credentials/"
try:
    urllib.request.urlopen(address, timeout=1).read()
    print("SUCCEEDED")
except OSError:
    print("refused")
