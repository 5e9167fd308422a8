"""A game, or many, as one HTML file that a doubter can read.

    html    a tree of elements; text can become nothing but text
    words   what moments, steps and numbers are called
    chart   inline SVG
    hands   one hand: diagram, tricks, what was verified
    page    the page about one audited game; ``statistics``, the page about many

``report.css`` and ``report.js`` stand inside every page. Everything is said in the language that
``i18n`` speaks when the page is made. Never: opens a file but these two, asks a clock, sends.
"""

from __future__ import annotations

from p2p_hearts.record.report.page import report_page

__all__ = ["report_page"]
