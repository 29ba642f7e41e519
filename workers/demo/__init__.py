"""The demo endpoint: an OpenAI-compatible server that plays the demo models, given nothing but their prompts."""
