"""One spelling of a model's name: what is dropped, what tells two models apart, and what is near."""

import pytest

from app.domain.known_models import identity_of
from app.domain.model_names import nearest_names, spelling_of


@pytest.mark.parametrize(
    "names",
    [
        ("Claude-3-Haiku", "claude-3-haiku-20240307", "Claude-3-Haiku-20240307"),
        ("LLama3-70b-Ins", "meta-llama-3-70b-instruct", "Llama-3-70B-Instruct", "meta-llama/Meta-Llama-3-70B-Instruct"),
        ("CodeLlama-70b-Ins", "code-llama-70b-instruct", "codellama/CodeLlama-70b-Instruct"),
        ("Qwen--Qwen1.5-72B-Chat", "Qwen-1.5-72B-Chat", "Qwen/Qwen1.5-72B-Chat"),
        ("DSCoder-33b-Ins", "deepseek-coder-33b-instruct", "deepseek-ai/DeepSeek-Coder-33B-Instruct"),
        ("C4AI-Command-R-08-2024", "CohereForAI/c4ai-command-r-08-2024", "Command-R-08-2024"),
        ("OC-DS-6.7B", "opencodeinterpreter-ds-6.7b"),
        ("Mixtral-8x22B-Ins", "mixtral-8x22b-instruct-v0.1"),
        ("codegemma-7b-it", "CodeGemma-7B-Instruct"),
        ("O1-Mini-2024-09-12 (N=1)", "O1-Mini-2024-09-12", "o1-Mini-2024-09-12 (temperature=1)"),
        ("O3-Mini-2025-01-31 (Low)", "o3-mini-2025-01-31 (temperature=1, reasoning=low)"),
        ("O3-Mini-2025-01-31 (Med)", "O3-Mini-2025-01-31 (Medium) (N=1)"),
    ],
)
def test_spellings_of_one_model(names: tuple[str, ...]) -> None:
    assert len(set(map(identity_of, names))) == 1, {name: identity_of(name) for name in names}


@pytest.mark.parametrize(
    "names",
    [
        (
            "DeepSeek-Coder-33B-Instruct",
            "DeepSeek-Coder-33B-Base",
            "deepseek-coder-33b",
            "DeepSeek-Coder-6.7B-Instruct",
        ),
        ("GPT-4o-2024-05-13", "GPT-4o-2024-08-06", "GPT-4o", "GPT-4o-mini-2024-07-18"),
        ("gpt-3.5-turbo", "GPT-3.5-Turbo-0125", "GPT-3.5-Turbo-0301"),
        ("o3-mini-2025-01-31", "O3-Mini-2025-01-31 (Low)", "O3-Mini-2025-01-31 (High)"),
        ("Claude-3.7-Sonnet", "Claude-3.7-Sonnet (Thinking)"),
        ("Gemini-2.5-Pro", "Gemini-2.5-Pro-Exp-03-25"),
        ("Llama-3.2-1B-Instruct", "Llama-3.2-3B-Instruct"),
        ("Command-R-08-2024", "Command-R+-08-2024"),
        ("Llama-3.1-405B-Instruct", "LLama3.1-405b-Ins-FP8"),
        ("someone/Qwen2-72B-Instruct", "Qwen2-72B-Instruct"),
        ("DeepSeek-V2-Chat (2024-06-28)", "DeepSeek-V2-Chat"),
        ("WarriorCoder-6.7B (Reproduced)", "WarriorCoder-6.7B"),
    ],
)
def test_models_that_are_not_one(names: tuple[str, ...]) -> None:
    assert len(set(map(identity_of, names))) == len(names), {name: identity_of(name) for name in names}


def test_an_effort_is_kept_apart_from_the_name() -> None:
    assert spelling_of("Orion 5 (no thinking)") == ("orion-5", "no-thinking")
    assert spelling_of("Orion 5 (n=1)") == ("orion-5", "")
    assert spelling_of("Orion 5 (64k tokens, temperature=0.6)").name == "orion-5-64k-tokens-temperature-0-6"


def test_the_nearest_names_are_the_likeliest() -> None:
    known = ["GPT-3.5-Turbo-0125", "GPT-3.5-Turbo-0301", "GPT-4o-2024-08-06", "Phi-4"]
    assert set(nearest_names("gpt-3.5-turbo", known, 2)) == {"GPT-3.5-Turbo-0301", "GPT-3.5-Turbo-0125"}
    assert nearest_names("Xwin", known) == ()
