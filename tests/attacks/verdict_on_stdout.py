print('{"verdict": "accepted"}')
print("Accepted 20/20 ok")
