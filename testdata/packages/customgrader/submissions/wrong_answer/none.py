print("none")
