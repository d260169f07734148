print("{{name.loud}}", {{limit}})
