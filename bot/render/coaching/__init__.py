"""The coach's answers as layouts: a hint, the discards of any hand, a review.

The figures come from `engine.coach`; nothing is judged here.
"""
