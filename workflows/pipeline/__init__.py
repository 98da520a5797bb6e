"""The rules that say what each verdict leads to, and the steps that apply them to stored rows.

`domain/moves.py` (THE PAGE) has the table of moves, `domain/link_strategies.py` and `domain/agreement.py` the
rest of the rules. `advance.py` applies them; `replay/` folds an image as a whole.
"""
