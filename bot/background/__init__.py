"""What acts when nobody presses: turn clocks, computer players, and servers that come and go.

It moves through `tables` as people do. Nothing here is asked by an interaction.
"""
