"""`tidemark gateway`: what it refuses."""

from support.commands import tidemark

from workers.context import Context


def test_a_gateway_is_stated_with_a_host_and_a_true_segment(ctx: Context) -> None:
    for words in (["https://"], ["https://gw.example", "--path-segment", "0"]):
        done = tidemark(ctx.settings, "gateway", "state", *words, "--reason", "a test")
        assert done.exit_code != 0, words
    assert '"path_segment": null' in tidemark(ctx.settings, "gateway", "list", "--json").stdout
