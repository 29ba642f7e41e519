"""Which addresses may be called on somebody else's word."""

from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

from hypothesis import given
from hypothesis import strategies as st

from app.domain.addresses import host_of, is_listed, refusal, visitor_key


def test_public_unicast_may_be_called() -> None:
    for address in (
        "1.1.1.1", "8.8.8.8", "93.184.215.14", "100.63.255.255", "100.128.0.0", "172.15.255.255", "172.32.0.0",
        "192.167.255.255", "169.253.0.1", "223.255.255.255", "2606:4700:4700::1111", "2a00:1450:4001::1",
        "2400:cb00::1", "2001:4860:4860::8888",
    ):  # fmt: skip
        assert refusal(ip_address(address)) is None, address


def test_nothing_else_may() -> None:
    for address, reason in [
        ("0.0.0.0", "unspecified"),
        ("0.1.2.3", "this network"),
        ("10.255.255.255", "private"),
        ("100.64.0.1", "carrier"),
        ("100.100.100.200", "carrier"),
        ("127.0.0.1", "loopback"),
        ("127.255.255.254", "loopback"),
        ("168.63.129.16", "cloud"),
        ("169.254.169.254", "link-local"),
        ("172.16.0.1", "private"),
        ("172.31.255.255", "private"),
        ("192.0.0.192", "reserved"),
        ("192.0.2.1", "documentation"),
        ("192.88.99.1", "6to4"),
        ("192.168.1.1", "private"),
        ("198.18.0.1", "benchmarking"),
        ("198.51.100.7", "documentation"),
        ("203.0.113.7", "documentation"),
        ("224.0.0.1", "multicast"),
        ("239.255.255.255", "multicast"),
        ("240.0.0.1", "reserved"),
        ("255.255.255.255", "broadcast"),
        ("::", "unspecified"),
        ("::1", "loopback"),
        ("::ffff:8.8.8.8", "IPv6 form"),
        ("::ffff:0:8.8.8.8", "IPv6 form"),
        ("::8.8.8.8", "IPv6 form"),
        ("64:ff9b::8.8.8.8", "NAT64"),
        ("64:ff9b:1::1", "NAT64"),
        ("100::1", "discarded"),
        ("2001:0:1::1", "Teredo"),
        ("2001:20::1", "reserved"),
        ("2001:db8::1", "documentation"),
        ("2002:808:808::1", "6to4"),
        ("3fff::1", "documentation"),
        ("4000::1", "reserved"),
        ("5f00::1", "reserved"),
        ("fc00::1", "private"),
        ("fd00:ec2::254", "private"),
        ("fe80::1", "link-local"),
        ("2606:4700::1%eth0", "one interface"),
        ("fec0::1", "site-local"),
        ("ff02::1", "multicast"),
    ]:
        found = refusal(ip_address(address))
        assert found is not None, (address, reason)
        assert reason in found, (address, reason)


def test_the_allow_list_opens_its_networks_and_no_other_form_of_them() -> None:
    allow = (ip_network("10.1.0.0/16"), ip_network("fd00::/8"))
    assert refusal(ip_address("10.1.2.3"), allow) is None
    assert refusal(ip_address("fd00::1"), allow) is None
    assert refusal(ip_address("10.2.0.1"), allow) == "private"
    assert refusal(ip_address("::ffff:10.1.2.3"), allow) is not None
    assert is_listed(ip_address("10.1.2.3"), allow)
    assert not is_listed(ip_address("8.8.8.8"), allow)


@given(st.integers(0, 2**32 - 1))
def test_no_ipv4_address_passes_in_an_ipv6_disguise(number: int) -> None:
    for prefix in (0xFFFF << 32, 0xFFFF << 48, 0, 0x64FF9B << 96, 0x20010000 << 96):
        assert refusal(IPv6Address(prefix | number)) is not None
    assert refusal(IPv6Address(0x2002 << 112 | number << 80)) is not None


@given(st.integers(0, 2**32 - 1))
def test_it_is_never_more_generous_than_the_standard_library(number: int) -> None:
    address = IPv4Address(number)
    if refusal(address) is None:
        assert address.is_global
        assert not address.is_multicast


def test_a_host_has_one_spelling() -> None:
    for spellings, host in [
        (["http://127.0.0.1:5", "http://0x7f.0.0.1:5", "http://127.1:5", "http://2130706433:5", "http://0177.0.0.1:5",
          "http://[::ffff:127.0.0.1]:5"], "127.0.0.1:5"),
        (["https://[2606:4700:4700::1111]", "https://[2606:4700:4700:0:0:0:0:1111]:443"], "2606:4700:4700::1111:443"),
        (["https://bücher.example", "https://xn--bcher-kva.example.", "https://BÜCHER.example"],
         "xn--bcher-kva.example:443"),
        (["https://api.example.com", "https://api。example.com/v1", "https://API.example.com.:443/"],
         "api.example.com:443"),
        (["http://256.1.1.1"], "256.1.1.1:80"),
        (["http://1.2.3.4.5"], "1.2.3.4.5:80"),
        (["http://08.1.1.1"], "08.1.1.1:80"),
        (["", "http://", "http://[::1", "nothing"], ""),
    ]:  # fmt: skip
        assert [host_of(url) for url in spellings] == [host] * len(spellings), (spellings, host)


def test_a_visitor_is_an_address_or_the_network_of_one_customer() -> None:
    for host, who in [
        ("8.8.4.4", "8.8.4.4"),
        ("::ffff:8.8.4.4", "8.8.4.4"),
        ("2606:4700:4700:5::1111", "2606:4700:4700:5::"),
        ("2606:4700:4700:5:ffff::2", "2606:4700:4700:5::"),
        ("127.0.0.1", None),
        ("172.18.0.1", None),
        ("fe80::1%eth0", None),
        ("testclient", None),
        (None, None),
    ]:
        assert visitor_key(host) == who, (host, who)
