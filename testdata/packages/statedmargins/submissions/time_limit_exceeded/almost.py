import time

number = input()
# CPU time: sleeping would cost nothing.
while time.process_time() < (1.4 if number == "3" else 0.05):
    pass
print(number)
