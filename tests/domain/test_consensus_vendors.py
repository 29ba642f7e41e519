"""Whose voice a setter is: by its vendor's name, and by the weights that answer."""

import pytest

from app.domain.consensus.vendors import vendor_aliases, weights_at

HERE = weights_at("http://127.0.0.1:8000/v1", "orion")


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("http://127.0.0.1:8000/v1/", "orion"),
        ("HTTP://LOCALHOST:8000/v1", "orion"),
        ("http://[::1]:8000/v1", "Orion "),
        ("http://someone:else@127.0.0.1:8000/v1", "orion"),
    ],
)
def test_another_spelling_of_an_address_is_the_same(address: str, name: str) -> None:
    assert weights_at(address, name) == HERE


def test_a_port_that_goes_without_saying_is_the_same() -> None:
    assert weights_at("https://a.example:443/v1", "m") == weights_at("https://A.example./v1", "m")


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("http://127.0.0.1:8001/v1", "orion"),
        ("http://127.0.0.1:8000/v1", "orion-2"),
        ("http://127.0.0.1:8000/v2", "orion"),
        ("http://127.0.0.1:none/v1", "orion"),
    ],
)
def test_another_model_is_another(address: str, name: str) -> None:
    assert weights_at(address, name) != HERE


def test_weights_of_our_own_are_told_by_their_folder() -> None:
    assert weights_at("", "a", "/models/orion/") == weights_at("", "b", "/models/x/../orion")
    assert weights_at("", "a", "/models/orion") != weights_at("", "a", "/models/tern")


def test_vendors_that_share_weights_are_one_voice_along_any_chain() -> None:
    x, y, z = (weights_at("http://a.example", name) for name in "xyz")
    assert vendor_aliases([("a", x), ("b", y), ("a", y)]) in ({"b": "a"}, {"a": "b"})
    assert vendor_aliases([("a", x), ("b", x), ("b", y), ("c", y), ("d", z)]) == {"b": "a", "c": "a"}
    assert vendor_aliases([("a", x), ("a", x), ("b", y)]) == {}
