"""Pictures, drawn here from nothing but shapes and numbers.

Each function takes plain values and gives the bytes of a file; nothing is sent from here.
"""
