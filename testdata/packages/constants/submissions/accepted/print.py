print("{{name.value}}", {{limit}})
