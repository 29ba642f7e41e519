"""The chat format of OpenAI, spoken by most providers and gateways, and by the engines of our own weights."""

from workers.inference.backends import _chat

_SETTINGS = ("reasoning_effort", "verbosity", "reasoning", "thinking", "thinking_budget", "enable_thinking",
             "chat_template_kwargs")  # fmt: skip

BACKEND = _chat.backend("openai_chat", {name: name for name in _SETTINGS})
