"""Everything that players read or see: views, public events and rules turned into text, layouts and pictures.

Pure: no network, no clock, no store. Nothing in here can reach a secret event of the engine.
"""
