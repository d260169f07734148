print("the package replaces this file")
