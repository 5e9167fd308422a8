"""The game of Hearts, and nothing else: cards, options, legality, score, match, view.

    cards       cards and sets of cards
    options     the rules of one table, and presets; ``texts``, both in words
    dealing     which position of the deck is whose
    passing     to whom cards are passed
    play        whose turn it is, and what may be played, by ``legality``; ``trick``, who wins one
    rest        claiming the rest of a hand
    score       what a hand costs; ``match``, hands added up
    view        what one seat may know
    dummy       how a hand is played whose player is away
    playout     a hand to its end with open cards

Standard library only; no clock, no chance, no network. Seats are 0 to n-1, clockwise.
"""
