"""How many examples Hypothesis tries where a test names a number of its own."""

from hypothesis import settings

_LEAST = 10


def examples(thorough: int) -> int:
    """So many in `./tidemark test --all`, a fifth of them in an ordinary run."""
    is_ordinary = settings.get_current_profile_name() != "thorough"
    return min(thorough, max(_LEAST, thorough // 5)) if is_ordinary else thorough
