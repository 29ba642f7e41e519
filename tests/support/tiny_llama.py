"""Make a tiny random Llama and its tokenizer: `python tiny_llama.py FOLDER`, where transformers is installed.

Nobody has trained the weights, so an answer is noise, but an engine serves them as any other's.
"""

import sys
from pathlib import Path

LENGTH = 1024
CHAT = "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}<assistant>"


def make(folder: Path) -> None:
    """Weights, tokenizer and chat template, as engines read them."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=2000, special_tokens=["<s>", "</s>"], initial_alphabet=alphabet)
    sources = sorted(Path(__file__).parent.glob("*.py"))
    tokenizer.train_from_iterator([path.read_text(encoding="utf-8") for path in sources], trainer)
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, bos_token="<s>", eos_token="</s>")
    fast.chat_template = CHAT
    fast.save_pretrained(folder)
    # vLLM's attention on a processor knows heads of 32 and more.
    config = LlamaConfig(
        vocab_size=len(fast), hidden_size=128, intermediate_size=256, num_hidden_layers=4, num_attention_heads=4,
        max_position_embeddings=LENGTH, bos_token_id=0, eos_token_id=1,
    )  # fmt: skip
    LlamaForCausalLM(config).save_pretrained(folder)


if __name__ == "__main__":
    make(Path(sys.argv[1]))
