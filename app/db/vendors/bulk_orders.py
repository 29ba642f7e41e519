"""Submissions written in bulk, to measure lists with."""

from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import text

from app.db.kernel.session import Session

ORDERS: Final = 1000  # as the statements below have it
# One vendor with a thousand submissions, of which 200 are under way, as many as may be: each of a hundred samples.
_FILL: Final = (
    "INSERT INTO organisations (slug, name) VALUES ('perf', 'Perf')",
    "INSERT INTO models (slug, name, organisation_id) SELECT 'perf', 'Perf', id FROM organisations",
    "INSERT INTO endpoints (model_id, backend, remote_name, base_url, max_concurrency, public_id)"
    " SELECT id, 'openai_chat', 'perf', 'https://perf.example/v1', 8, 'ep_perf' FROM models",
    "INSERT INTO sources (slug, name, kind) VALUES ('perf', 'Perf', 'site')",
    "INSERT INTO problems (source_id, external_id, title, state, found_at)"
    " SELECT s.id, 'p' || n, 'P', 'found', now() FROM sources s, generate_series(1, 100) n",
    "INSERT INTO problem_versions (problem_id, locale, title, form, statement, statement_sha256,"
    " output_kb, origin, in_use)"
    " SELECT id, 'en', 'P', 'stdin', 'P', external_id, 64, 'page', true FROM problems",
    "INSERT INTO runs (model_id, endpoint_id, protocol_id, trial, state, origin, public)"
    " SELECT e.model_id, e.id, p.id, n, 'active', 'own', false"
    " FROM endpoints e, protocols p, generate_series(1, 1000) n",
    "INSERT INTO submissions (public_id, organisation_id, run_id, endpoint_id, protocol_id, continuous, visibility,"
    " state, state_since, owner, created_at) SELECT 'sub_' || r.id, m.organisation_id, r.id, r.endpoint_id,"
    " r.protocol_id, true, 'public', CASE WHEN r.id > 800 THEN 'generating' ELSE 'published' END, now(), 'us',"
    " now() FROM runs r JOIN models m ON m.id = r.model_id",
    "INSERT INTO samples (run_id, problem_id, problem_version_id, ordinal, state)"
    " SELECT r.id, v.problem_id, v.id, 0, (ARRAY['pending', 'answered', 'graded'])[1 + v.id % 3]"
    " FROM runs r, problem_versions v",
    "ANALYZE",
)


def fill(session: Session) -> None:
    """Write the submissions of one new organisation under the protocols stored so far."""
    for statement in _FILL:
        session.execute(text(statement))


def read_rows(session: Session, limit: int) -> Sequence[Any]:
    """Return the bare rows of a page of submissions: the least that a list can read."""
    query = "SELECT * FROM submissions WHERE organisation_id = 1 ORDER BY id DESC LIMIT :limit"
    return session.execute(text(query), {"limit": limit}).all()
