"""The demo endpoint: an OpenAI-compatible server that plays the demo models, from nothing but their prompts."""
