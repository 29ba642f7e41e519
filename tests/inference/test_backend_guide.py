"""The back end that the guide writes down, held to the contract of all as soon as its file is there."""

from pathlib import Path

from support.snippets import contract, plug_in


def test_a_new_back_end_is_one_file(tmp_path: Path) -> None:
    report = contract(plug_in("adding-a-backend.md"), tmp_path, "inference/test_backend_contract.py", "plain_text")
    for name in ("a_call_goes_to_the_endpoint_and_names_the_model", "no_body_makes_it_raise"):
        assert f"test_{name}[plain_text] PASSED" in report
