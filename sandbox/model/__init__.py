"""What there is in this Discord: people, the guild, channels, messages, components, interactions.

Plain values and the world that holds them, with what they are as JSON. No request is answered here.
"""
