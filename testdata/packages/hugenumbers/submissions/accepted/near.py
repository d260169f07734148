print(f"1.0000001e{input()}")
