"""Checks of a probe as values."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from app.domain.reasons import Reason


class EndpointCheck(StrEnum):
    """Checks of an endpoint, in the order in which one depends on those before it."""

    ADDRESS = "address"
    TLS = "tls"
    KEY = "key"
    MODEL = "model"
    LIMITS = "limits"
    ANSWER = "answer"
    PROGRAM = "program"
    STREAMING = "streaming"
    USAGE = "usage"
    SPEED = "speed"
    CLOCK = "clock"
    ECHO = "echo"


class CheckStatus(StrEnum):
    """Outcome of a check. A warning keeps no order from being asked; a skipped check could not be made."""

    PASSED = "passed"
    FAILED = "failed"
    WARNED = "warned"
    SKIPPED = "skipped"


class ProbeResult(StrEnum):
    """Result of a probe: `FAULTED` if we failed to make it, which says nothing of the endpoint."""

    PASSED = "passed"
    FAILED = "failed"
    FAULTED = "faulted"


class ProbeOrigin(StrEnum):
    """Origin of a probe: a request of the vendor, or an order that waits for its first prompt."""

    REQUEST = "request"
    ORDER = "order"


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The outcome of one check, with what was seen, and one sentence on what to change."""

    check: EndpointCheck
    status: CheckStatus
    evidence: str | None = None
    fix: str | None = None


@dataclass(frozen=True, slots=True)
class ProbeReport:
    """The checks of a probe, in their order, and the number of requests that were sent for them."""

    checks: tuple[CheckResult, ...]
    requests: int
    fault: str | None = None  # why we failed to make the probe

    @property
    def result(self) -> ProbeResult:
        """The result of the probe as a whole."""
        if self.fault is not None:
            return ProbeResult.FAULTED
        return ProbeResult.FAILED if first_failure(self.checks) else ProbeResult.PASSED


def first_failure(checks: Iterable[CheckResult]) -> CheckResult | None:
    """Return the first failed check."""
    return next((check for check in checks if check.status is CheckStatus.FAILED), None)


def failure_reason(failed: CheckResult) -> Reason:
    """Return why an order waits: the failed check, what was seen, and the fix."""
    texts = tuple(text for text in (failed.evidence, failed.fix) if text is not None)
    return Reason("preflight_failed", {"what": failed.check}, Reason("several", cause=texts) if texts else "")


# Seconds that a probe may take while its request waits, and of an order that is tried again, for slow models.
REQUEST_PROBE_S: Final = 50.0
PATIENT_PROBE_S: Final = 280.0
