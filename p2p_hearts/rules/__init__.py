"""The game of Hearts, and nothing else: cards, options, legality, score, match, view.

Standard library only; no clock, no chance, no network. Seats are 0 to n-1, clockwise.
"""
