"""The chat format of vLLM: reasoning in a separate field, chat template settings, several answers per request."""

from workers.inference.backends import _chat

_SETTINGS = {
    "reasoning_effort": "reasoning_effort",
    "chat_template_kwargs": "chat_template_kwargs",
    "enable_thinking": "chat_template_kwargs.enable_thinking",
    "thinking": "chat_template_kwargs.thinking",
    "thinking_budget": "chat_template_kwargs.thinking_budget",
}

BACKEND = _chat.backend("vllm", _SETTINGS, answers=8, include_reasoning=True)
