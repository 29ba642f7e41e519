"""Who makes a model of LiveCodeBench's files: by its account on the model hub, or where its style and its name agree.

A style is how a model is asked, and other people's models are asked the same way: alone it names nobody. What is not
said stays empty, for models of one wrong vendor would be no controls of each other that should be.
"""

from collections.abc import Mapping

# The account before the stroke of a name such as Qwen/Qwen2.5-32B-Instruct.
_ACCOUNTS: Mapping[str, str] = {
    "01-ai": "01.AI",
    "coherelabs": "Cohere",
    "deepseek-ai": "DeepSeek",
    "google": "Google",
    "meta-llama": "Meta",
    "microsoft": "Microsoft",
    "mistralai": "Mistral",
    "moonshotai": "Moonshot AI",
    "nvidia": "NVIDIA",
    "openai": "OpenAI",
    "qwen": "Alibaba",
}
_STYLES: Mapping[str, str] = {
    "AnthropicMessage": "Anthropic",
    "Claude": "Anthropic",
    "Claude3": "Anthropic",
    "Claude3Thinking": "Anthropic",
    "CohereCommand": "Cohere",
    "DeepSeekAPI": "DeepSeek",
    "Gemini": "Google",
    "GeminiThinking": "Google",
    "Google": "Google",
    "Grok": "xAI",
    "MistralWeb": "Mistral",
    "OpenAIChat": "OpenAI",
    "OpenAIReason": "OpenAI",
    "OpenAIReasonPreview": "OpenAI",
}
_BEGINNINGS: Mapping[str, tuple[str, ...]] = {
    "Anthropic": ("claude-",),
    "Cohere": ("command-",),
    "DeepSeek": ("deepseek-",),
    "Google": ("gemini-",),
    "Mistral": ("codestral-", "mistral-"),
    "OpenAI": ("chatgpt-", "gpt-", "o1-", "o3-", "o4-"),
    "xAI": ("grok-",),
}


def organisation_of(name: str, style: str) -> str:
    """Who makes the model that is called `name` where it is asked; empty where the file does not say."""
    account, stroke, _ = name.lower().partition("/")
    if stroke:
        return _ACCOUNTS.get(account, "")
    vendor = _STYLES.get(style, "")
    return vendor if name.lower().startswith(_BEGINNINGS.get(vendor, ())) else ""
