"""Discord's documented rules for what a request may contain, and the faults found in a body.

Each module judges one kind of body and tells the faults in Discord's own shape. Nothing is changed here.
"""
