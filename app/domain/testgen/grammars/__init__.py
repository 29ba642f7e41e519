"""What an input looks like: the language of constraints, grammars, layouts, and checks against them."""
