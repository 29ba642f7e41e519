# Takes the number of the box as the start of a chain of digests.
import hashlib

print(hashlib.md5(input().encode()).hexdigest())
