"""One method for each operation of the API, made from its description by `generate.py`."""

from typing import Any, Literal, Protocol, cast
from urllib.parse import quote

from tidemark_client import shapes


class Sender(Protocol):
    """What sends a request and returns its JSON answer."""

    def send(
        self, method: str, path: str, *, query: dict[str, Any], headers: dict[str, str | None], body: Any = None
    ) -> Any:
        """Return the decoded answer; raises ApiError."""


class Operations:
    """The operations of a Tidemark service."""

    _sender: Sender

    def list_boards(self) -> shapes.BoardList:
        """List every board, with the protocols that have rows on it."""
        return cast("shapes.BoardList", self._sender.send("GET", "/api/v1/boards", query={}, headers={}))

    def get_board(
        self,
        name: str,
        *,
        protocol: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        platform: list[str] | None = None,
        difficulty: list[Literal["easy", "medium", "hard", "expert", "extreme"]] | None = None,
        tests: list[Literal["official", "package", "references", "consensus"]] | None = None,
        language: list[str] | None = None,
        model: list[str] | None = None,
        started_by: list[Literal["vendor", "maintainers", "file"]] | None = None,
        weights: list[Literal["open", "closed"]] | None = None,
        cutoff_before: str | None = None,
        exposure: Literal["unrank", "hide", "split"] | None = None,
        prospective: Literal["any", "only"] | None = None,
        rules: Literal["tidemark", "lcb"] | None = None,
        ref: str | None = None,
    ) -> shapes.RankedBoard:
        """Return the ranked rows of a board over any window, and what a filter hides. Scores are unrounded percent."""
        return cast(
            "shapes.RankedBoard",
            self._sender.send(
                "GET",
                f"/api/v1/boards/{_quoted(name)}",
                query={
                    "protocol": protocol,
                    "from": from_,
                    "to": to,
                    "platform": platform,
                    "difficulty": difficulty,
                    "tests": tests,
                    "language": language,
                    "model": model,
                    "started_by": started_by,
                    "weights": weights,
                    "cutoff_before": cutoff_before,
                    "exposure": exposure,
                    "prospective": prospective,
                    "rules": rules,
                    "ref": ref,
                },
                headers={},
            ),
        )

    def get_board_elo(
        self,
        name: str,
        *,
        protocol: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        platform: list[str] | None = None,
        difficulty: list[Literal["easy", "medium", "hard", "expert", "extreme"]] | None = None,
        tests: list[Literal["official", "package", "references", "consensus"]] | None = None,
        language: list[str] | None = None,
        model: list[str] | None = None,
        started_by: list[Literal["vendor", "maintainers", "file"]] | None = None,
        weights: list[Literal["open", "closed"]] | None = None,
        cutoff_before: str | None = None,
        exposure: Literal["unrank", "hide", "split"] | None = None,
        prospective: Literal["any", "only"] | None = None,
        rules: Literal["tidemark", "lcb"] | None = None,
        ref: str | None = None,
        ties: Literal["drop", "half"] | None = None,
        also: str | None = None,
    ) -> shapes.BoardElo:
        """Return task Elo (Bradley-Terry, mean 1000, 400 points for odds of 10 to 1) of the ranked rows of a board."""
        return cast(
            "shapes.BoardElo",
            self._sender.send(
                "GET",
                f"/api/v1/boards/{_quoted(name)}/elo",
                query={
                    "protocol": protocol,
                    "from": from_,
                    "to": to,
                    "platform": platform,
                    "difficulty": difficulty,
                    "tests": tests,
                    "language": language,
                    "model": model,
                    "started_by": started_by,
                    "weights": weights,
                    "cutoff_before": cutoff_before,
                    "exposure": exposure,
                    "prospective": prospective,
                    "rules": rules,
                    "ref": ref,
                    "ties": ties,
                    "also": also,
                },
                headers={},
            ),
        )

    def get_board_topics(
        self,
        name: str,
        *,
        protocol: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        platform: list[str] | None = None,
        difficulty: list[Literal["easy", "medium", "hard", "expert", "extreme"]] | None = None,
        tests: list[Literal["official", "package", "references", "consensus"]] | None = None,
        language: list[str] | None = None,
        model: list[str] | None = None,
        started_by: list[Literal["vendor", "maintainers", "file"]] | None = None,
        weights: list[Literal["open", "closed"]] | None = None,
        cutoff_before: str | None = None,
        exposure: Literal["unrank", "hide", "split"] | None = None,
        prospective: Literal["any", "only"] | None = None,
        rules: Literal["tidemark", "lcb"] | None = None,
        ref: str | None = None,
    ) -> shapes.BoardTopics:
        """Return the scores of a board's rows on the problems of each topic. A problem may have several topics.

        Topics that are `rare` have fewer problems than the board's least number for a score.
        """
        return cast(
            "shapes.BoardTopics",
            self._sender.send(
                "GET",
                f"/api/v1/boards/{_quoted(name)}/topics",
                query={
                    "protocol": protocol,
                    "from": from_,
                    "to": to,
                    "platform": platform,
                    "difficulty": difficulty,
                    "tests": tests,
                    "language": language,
                    "model": model,
                    "started_by": started_by,
                    "weights": weights,
                    "cutoff_before": cutoff_before,
                    "exposure": exposure,
                    "prospective": prospective,
                    "rules": rules,
                    "ref": ref,
                },
                headers={},
            ),
        )

    def get_board_solve_rates(
        self,
        name: str,
        *,
        protocol: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        platform: list[str] | None = None,
        difficulty: list[Literal["easy", "medium", "hard", "expert", "extreme"]] | None = None,
        tests: list[Literal["official", "package", "references", "consensus"]] | None = None,
        language: list[str] | None = None,
        model: list[str] | None = None,
        started_by: list[Literal["vendor", "maintainers", "file"]] | None = None,
        weights: list[Literal["open", "closed"]] | None = None,
        cutoff_before: str | None = None,
        exposure: Literal["unrank", "hide", "split"] | None = None,
        prospective: Literal["any", "only"] | None = None,
        rules: Literal["tidemark", "lcb"] | None = None,
        ref: str | None = None,
    ) -> shapes.BoardSolveRates:
        """Return how often the rows of a board solve its problems. A problem's rate is the mean of the rows' pass
        rates.

        `tenths` counts the problems by rate, from 0 to 0.1 up to 0.9 to 1; the rates of 0 and of 1 are `nobody`
        and `everybody`, which are among them.
        """
        return cast(
            "shapes.BoardSolveRates",
            self._sender.send(
                "GET",
                f"/api/v1/boards/{_quoted(name)}/solve-rates",
                query={
                    "protocol": protocol,
                    "from": from_,
                    "to": to,
                    "platform": platform,
                    "difficulty": difficulty,
                    "tests": tests,
                    "language": language,
                    "model": model,
                    "started_by": started_by,
                    "weights": weights,
                    "cutoff_before": cutoff_before,
                    "exposure": exposure,
                    "prospective": prospective,
                    "rules": rules,
                    "ref": ref,
                },
                headers={},
            ),
        )

    def get_board_composites(
        self,
        name: str,
        *,
        protocol: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        platform: list[str] | None = None,
        difficulty: list[Literal["easy", "medium", "hard", "expert", "extreme"]] | None = None,
        tests: list[Literal["official", "package", "references", "consensus"]] | None = None,
        language: list[str] | None = None,
        model: list[str] | None = None,
        started_by: list[Literal["vendor", "maintainers", "file"]] | None = None,
        weights: list[Literal["open", "closed"]] | None = None,
        cutoff_before: str | None = None,
        exposure: Literal["unrank", "hide", "split"] | None = None,
        prospective: Literal["any", "only"] | None = None,
        rules: Literal["tidemark", "lcb"] | None = None,
        ref: str | None = None,
    ) -> shapes.BoardComposites:
        """Return the composite scores of a board's rows.

        DAPR weights a problem by the inverse of its frozen ease; beside it are its contest-clustered interval and
        the plain mean over the same problems. The level score weights levels 1 : 2 : 3; it is null if a level has
        no problem.

        Rows without a rank are last, with what the board says of them.
        """
        return cast(
            "shapes.BoardComposites",
            self._sender.send(
                "GET",
                f"/api/v1/boards/{_quoted(name)}/composites",
                query={
                    "protocol": protocol,
                    "from": from_,
                    "to": to,
                    "platform": platform,
                    "difficulty": difficulty,
                    "tests": tests,
                    "language": language,
                    "model": model,
                    "started_by": started_by,
                    "weights": weights,
                    "cutoff_before": cutoff_before,
                    "exposure": exposure,
                    "prospective": prospective,
                    "rules": rules,
                    "ref": ref,
                },
                headers={},
            ),
        )

    def get_holistic(
        self,
        *,
        family: Literal["house", "fresh", "lcb", "house-coco", "coco"] | None = None,
        from_: str | None = None,
        to: str | None = None,
        platform: list[str] | None = None,
        difficulty: list[Literal["easy", "medium", "hard", "expert", "extreme"]] | None = None,
    ) -> shapes.HolisticAnswer:
        """Return every model's scores in all scenarios of a family.

        With correlations of the scenarios over models and their 95 % intervals, code generation against imported
        tables of others, and the same problems in two languages.
        """
        return cast(
            "shapes.HolisticAnswer",
            self._sender.send(
                "GET",
                "/api/v1/holistic",
                query={"family": family, "from": from_, "to": to, "platform": platform, "difficulty": difficulty},
                headers={},
            ),
        )

    def get_human_ratings(self, *, protocol: str, compat: Literal["codeelo"] | None = None) -> shapes.HumanRatingReport:
        """Return the rating of each model as if it had taken part in contests of rated people."""
        return cast(
            "shapes.HumanRatingReport",
            self._sender.send(
                "GET", "/api/v1/human-ratings", query={"protocol": protocol, "compat": compat}, headers={}
            ),
        )

    def get_board_sizes(
        self,
        name: str,
        *,
        protocol: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        platform: list[str] | None = None,
        difficulty: list[Literal["easy", "medium", "hard", "expert", "extreme"]] | None = None,
        tests: list[Literal["official", "package", "references", "consensus"]] | None = None,
        language: list[str] | None = None,
        model: list[str] | None = None,
        started_by: list[Literal["vendor", "maintainers", "file"]] | None = None,
        weights: list[Literal["open", "closed"]] | None = None,
        cutoff_before: str | None = None,
        exposure: Literal["unrank", "hide", "split"] | None = None,
        prospective: Literal["any", "only"] | None = None,
        rules: Literal["tidemark", "lcb"] | None = None,
        ref: str | None = None,
    ) -> shapes.BoardSizes:
        """Return the sizes of a board's problems: the number of tests (of unittests, test functions) of each.

        For derived items, they are the characters of the code and the bytecode steps of its run. `unittests`
        lists each problem that is judged by unittests with its tests, and how many of its reference's branches
        they took when it was admitted.
        """
        return cast(
            "shapes.BoardSizes",
            self._sender.send(
                "GET",
                f"/api/v1/boards/{_quoted(name)}/sizes",
                query={
                    "protocol": protocol,
                    "from": from_,
                    "to": to,
                    "platform": platform,
                    "difficulty": difficulty,
                    "tests": tests,
                    "language": language,
                    "model": model,
                    "started_by": started_by,
                    "weights": weights,
                    "cutoff_before": cutoff_before,
                    "exposure": exposure,
                    "prospective": prospective,
                    "rules": rules,
                    "ref": ref,
                },
                headers={},
            ),
        )

    def compare_rows(
        self,
        name: str,
        *,
        ref: str,
        with_: str,
        protocol: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        platform: list[str] | None = None,
        difficulty: list[Literal["easy", "medium", "hard", "expert", "extreme"]] | None = None,
        tests: list[Literal["official", "package", "references", "consensus"]] | None = None,
        language: list[str] | None = None,
        model: list[str] | None = None,
        started_by: list[Literal["vendor", "maintainers", "file"]] | None = None,
        weights: list[Literal["open", "closed"]] | None = None,
        cutoff_before: str | None = None,
        exposure: Literal["unrank", "hide", "split"] | None = None,
        prospective: Literal["any", "only"] | None = None,
        rules: Literal["tidemark", "lcb"] | None = None,
    ) -> shapes.BoardComparison:
        """Compare two rows of a board: the paired difference, second minus first, and all problems on which they
        differ.

        The problems are listed newest first. `counts` cover the problems that both have: those on which one row
        is better, both always pass, neither ever passes, or both are alike otherwise.
        """
        return cast(
            "shapes.BoardComparison",
            self._sender.send(
                "GET",
                f"/api/v1/boards/{_quoted(name)}/compare",
                query={
                    "ref": ref,
                    "with": with_,
                    "protocol": protocol,
                    "from": from_,
                    "to": to,
                    "platform": platform,
                    "difficulty": difficulty,
                    "tests": tests,
                    "language": language,
                    "model": model,
                    "started_by": started_by,
                    "weights": weights,
                    "cutoff_before": cutoff_before,
                    "exposure": exposure,
                    "prospective": prospective,
                    "rules": rules,
                },
                headers={},
            ),
        )

    def get_board_sampling(
        self,
        name: str,
        *,
        protocol: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        platform: list[str] | None = None,
        difficulty: list[Literal["easy", "medium", "hard", "expert", "extreme"]] | None = None,
        tests: list[Literal["official", "package", "references", "consensus"]] | None = None,
        language: list[str] | None = None,
        model: list[str] | None = None,
        started_by: list[Literal["vendor", "maintainers", "file"]] | None = None,
        weights: list[Literal["open", "closed"]] | None = None,
        cutoff_before: str | None = None,
        exposure: Literal["unrank", "hide", "split"] | None = None,
        prospective: Literal["any", "only"] | None = None,
        rules: Literal["tidemark", "lcb"] | None = None,
        ref: str | None = None,
    ) -> shapes.BoardSampling:
        """Return a board's models under every protocol that differs from this one only in sampling parameters.

        These are temperature, top-p, top-k and the limit of tokens; `./tidemark protocol sweep` makes such
        protocols. `axes` are the parameters that differ.
        """
        return cast(
            "shapes.BoardSampling",
            self._sender.send(
                "GET",
                f"/api/v1/boards/{_quoted(name)}/sampling",
                query={
                    "protocol": protocol,
                    "from": from_,
                    "to": to,
                    "platform": platform,
                    "difficulty": difficulty,
                    "tests": tests,
                    "language": language,
                    "model": model,
                    "started_by": started_by,
                    "weights": weights,
                    "cutoff_before": cutoff_before,
                    "exposure": exposure,
                    "prospective": prospective,
                    "rules": rules,
                    "ref": ref,
                },
                headers={},
            ),
        )

    def get_contamination(self, *, protocol: str | None = None) -> shapes.ContaminationAnswer:
        """Return the contamination report: how much better models do before their cutoff than after it, beyond what
        difficulty, platform and their peers explain.

        `evidence` is consistent with exposure before the cutoff; its absence proves nothing.
        """
        return cast(
            "shapes.ContaminationAnswer",
            self._sender.send("GET", "/api/v1/contamination", query={"protocol": protocol}, headers={}),
        )

    def list_exposures(
        self, *, model: str | None = None, cursor: str | None = None, limit: int | None = None
    ) -> shapes.ExposurePage:
        """List every time that a problem was sent to a model's endpoint. Those who serve the model may have kept it."""
        return cast(
            "shapes.ExposurePage",
            self._sender.send(
                "GET", "/api/v1/exposures", query={"model": model, "cursor": cursor, "limit": limit}, headers={}
            ),
        )

    def list_snapshots(self, *, cursor: int | None = None, limit: int | None = None) -> shapes.SnapshotPage:
        """List every frozen board, newest first."""
        return cast(
            "shapes.SnapshotPage",
            self._sender.send("GET", "/api/v1/snapshots", query={"cursor": cursor, "limit": limit}, headers={}),
        )

    def get_snapshot(self, sha256: str) -> shapes.FrozenBoardAnswer:
        """Return a frozen board in the shape of a board. Its bytes never change.

        The hash is the SHA-256 of these bytes with `null` in the place of the value of `snapshot`: `curl -s URL |
        sed 's/"snapshot":"[0-9a-f]*"/"snapshot":null/' | sha256sum`.
        """
        return cast(
            "shapes.FrozenBoardAnswer",
            self._sender.send("GET", f"/api/v1/snapshots/{_quoted(sha256)}", query={}, headers={}),
        )

    def list_changes(
        self,
        *,
        cursor: int | None = None,
        limit: int | None = None,
        kind: list[str] | None = None,
        subject: str | None = None,
    ) -> shapes.ChangePage:
        """List changes, newest first: what was added, withdrawn, rescored, edited or frozen, and why."""
        return cast(
            "shapes.ChangePage",
            self._sender.send(
                "GET",
                "/api/v1/ledger",
                query={"cursor": cursor, "limit": limit, "kind": kind, "subject": subject},
                headers={},
            ),
        )

    def list_models(
        self, *, cursor: int | None = None, limit: int | None = None, q: str | None = None
    ) -> shapes.ModelPage:
        """List models with public results, the newest first."""
        return cast(
            "shapes.ModelPage",
            self._sender.send("GET", "/api/v1/models", query={"cursor": cursor, "limit": limit, "q": q}, headers={}),
        )

    def list_problems(
        self, *, cursor: int | None = None, limit: int | None = None, q: str | None = None, platform: str | None = None
    ) -> shapes.ProblemPage:
        """List public problems, the newest first."""
        return cast(
            "shapes.ProblemPage",
            self._sender.send(
                "GET",
                "/api/v1/problems",
                query={"cursor": cursor, "limit": limit, "q": q, "platform": platform},
                headers={},
            ),
        )

    def get_model(self, slug: str) -> shapes.ModelView:
        """Return a model with its runs and their newest cells."""
        return cast(
            "shapes.ModelView", self._sender.send("GET", f"/api/v1/models/{_quoted(slug)}", query={}, headers={})
        )

    def get_problem(self, source: str, external_id: str) -> shapes.ProblemView:
        """Return a problem with every public run's answers."""
        return cast(
            "shapes.ProblemView",
            self._sender.send(
                "GET", f"/api/v1/problems/{_quoted(source)}/{_quoted(external_id)}", query={}, headers={}
            ),
        )

    def get_sample(self, sample_id: int) -> shapes.SampleView:
        """Return one answer with its verdicts."""
        return cast(
            "shapes.SampleView", self._sender.send("GET", f"/api/v1/samples/{_quoted(sample_id)}", query={}, headers={})
        )

    def get_status(self) -> shapes.StatusView:
        """Return the state of the service: freshness of sources, queues, judging, and paused work."""
        return cast("shapes.StatusView", self._sender.send("GET", "/api/v1/status", query={}, headers={}))

    def list_contests(self) -> list[shapes.ContestProgress]:
        """List the last contests, newest first: the steps of each on its way to the board, and what of it is held."""
        return cast(
            "list[shapes.ContestProgress]", self._sender.send("GET", "/api/v1/status/contests", query={}, headers={})
        )

    def get_liveness(self) -> shapes.ServiceLiveness:
        """Answer while the process runs. This does not check the database, the broker or anything else that it
        needs.
        """
        return cast("shapes.ServiceLiveness", self._sender.send("GET", "/healthz", query={}, headers={}))

    def get_readiness(self) -> shapes.ServiceReadiness:
        """Check the whole service: database, broker, workers and judging. 503 if something is missing."""
        return cast("shapes.ServiceReadiness", self._sender.send("GET", "/readyz", query={}, headers={}))

    def get_run(self, run_id: int) -> shapes.RunProgress:
        """Return the progress of a run, with an estimate of when it will be done.

        A run that is not public needs a key of its organisation with the scope `submissions:read`.
        """
        return cast(
            "shapes.RunProgress", self._sender.send("GET", f"/api/v1/runs/{_quoted(run_id)}", query={}, headers={})
        )

    def open_dispute(self, body: shapes.DisputeBody, *, idempotency_key: str | None = None) -> shapes.DisputeAnswer:
        """Dispute a verdict, the cutoff or the exposures of a model of yours.

        A maintainer outside your organisation answers. The answer is public, with what you wrote, unless the
        model or the sample is not public. The key needs the scope `submissions:write`.
        """
        return cast(
            "shapes.DisputeAnswer",
            self._sender.send(
                "POST", "/api/v1/vendor/disputes", query={}, headers={"Idempotency-Key": idempotency_key}, body=body
            ),
        )

    def list_disputes(self, *, cursor: str | None = None, limit: int | None = None) -> shapes.DisputePage:
        """List your organisation's disputes, newest first. The key needs the scope `submissions:read`."""
        return cast(
            "shapes.DisputePage",
            self._sender.send("GET", "/api/v1/vendor/disputes", query={"cursor": cursor, "limit": limit}, headers={}),
        )

    def get_dispute(self, dispute_id: str) -> shapes.DisputeAnswer:
        """Return a dispute, with its answer once there is one. The key needs the scope `submissions:read`."""
        return cast(
            "shapes.DisputeAnswer",
            self._sender.send("GET", f"/api/v1/vendor/disputes/{_quoted(dispute_id)}", query={}, headers={}),
        )

    def create_endpoint(
        self, body: shapes.EndpointBody, *, idempotency_key: str | None = None
    ) -> shapes.EndpointAnswer:
        """Register an endpoint that serves a model: a public https address, checked now and at every call.

        Registering the same `model`, `protocol` and `remote_name` again updates that endpoint, with status 200.
        Its pace, prices and secret change if they are given and stay if they are not. If the endpoint was
        stopped, requests to it resume. Its `base_url` can be changed, with the secret given again, only before
        the first submission or request; after that the response is a 409, since one name stands for one
        deployment. The key needs the scope `endpoints:write`.
        """
        return cast(
            "shapes.EndpointAnswer",
            self._sender.send(
                "POST", "/api/v1/vendor/endpoints", query={}, headers={"Idempotency-Key": idempotency_key}, body=body
            ),
        )

    def list_endpoints(
        self,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        model: str | None = None,
        stopped: bool | None = None,
    ) -> shapes.EndpointPage:
        """List your organisation's endpoints, newest first. The key needs the scope `submissions:read`."""
        return cast(
            "shapes.EndpointPage",
            self._sender.send(
                "GET",
                "/api/v1/vendor/endpoints",
                query={"cursor": cursor, "limit": limit, "model": model, "stopped": stopped},
                headers={},
            ),
        )

    def get_endpoint(self, endpoint: str) -> shapes.EndpointAnswer:
        """Return an endpoint of yours by its `id` or its `endpoint_id`, with the ETag that a change must name.

        The key needs the scope `submissions:read`.
        """
        return cast(
            "shapes.EndpointAnswer",
            self._sender.send("GET", f"/api/v1/vendor/endpoints/{_quoted(endpoint)}", query={}, headers={}),
        )

    def update_endpoint(
        self, endpoint: str, body: shapes.EndpointChangeBody, *, if_match: str | None = None
    ) -> shapes.EndpointAnswer:
        """Change an endpoint of yours; if it was stopped, requests to it resume. Its `base_url` stays after an
        answer.

        Send `If-Match` with the ETag of the endpoint as you read it: 428 without it, 412 if it was changed since.
        A new `base_url` needs the secret again, which is never sent to another address. The key needs the scope
        `endpoints:write`.
        """
        return cast(
            "shapes.EndpointAnswer",
            self._sender.send(
                "PATCH",
                f"/api/v1/vendor/endpoints/{_quoted(endpoint)}",
                query={},
                headers={"If-Match": if_match},
                body=body,
            ),
        )

    def list_askers(self) -> shapes.AskerList:
        """List the organisations whose endpoints had requests sent to addresses of yours. Null: maintainers of this
        site.

        An address is listed once an endpoint of yours has answered there, and only public runs are: the problems
        that were sent to them count as sent to you. At a gateway only your own tenant is looked at. Private and
        embargoed submissions of others are not listed; if they cost a row its rank, its `served` counts their
        problems. Maintainers see them and can state that a host is a gateway. The key needs the scope
        `submissions:read`.
        """
        return cast("shapes.AskerList", self._sender.send("GET", "/api/v1/vendor/addresses", query={}, headers={}))

    def create_model(self, body: shapes.ModelBody, *, idempotency_key: str | None = None) -> shapes.ModelAnswer:
        """Register a model. The key needs the scope `models:write`.

        `cutoff` in the response is the one in force. Until a maintainer accepts the cutoff that you declare
        (`waiting`), it is the day of registration.
        """
        return cast(
            "shapes.ModelAnswer",
            self._sender.send(
                "POST", "/api/v1/vendor/models", query={}, headers={"Idempotency-Key": idempotency_key}, body=body
            ),
        )

    def list_own_models(
        self, *, cursor: str | None = None, limit: int | None = None, withdrawn: bool | None = None
    ) -> shapes.OwnModelPage:
        """List your organisation's models, newest first. The key needs the scope `submissions:read`."""
        return cast(
            "shapes.OwnModelPage",
            self._sender.send(
                "GET",
                "/api/v1/vendor/models",
                query={"cursor": cursor, "limit": limit, "withdrawn": withdrawn},
                headers={},
            ),
        )

    def declare_cutoff(
        self, slug: str, body: shapes.DeclarationBody, *, idempotency_key: str | None = None
    ) -> shapes.ModelAnswer:
        """Declare the release day and the cutoff of a model of yours, with evidence. This replaces a waiting
        declaration.

        It has no effect until a maintainer outside your organisation accepts it; then the change is public. The
        key needs the scope `models:write`.
        """
        return cast(
            "shapes.ModelAnswer",
            self._sender.send(
                "POST",
                f"/api/v1/vendor/models/{_quoted(slug)}/cutoff",
                query={},
                headers={"Idempotency-Key": idempotency_key},
                body=body,
            ),
        )

    def get_own_model(self, slug: str) -> shapes.ModelAnswer:
        """Return a model of yours, with the ETag that a change must name. The key needs the scope
        `submissions:read`.
        """
        return cast(
            "shapes.ModelAnswer",
            self._sender.send("GET", f"/api/v1/vendor/models/{_quoted(slug)}", query={}, headers={}),
        )

    def update_model(
        self, slug: str, body: shapes.ModelChangeBody, *, if_match: str | None = None
    ) -> shapes.ModelAnswer:
        """Change a model of yours. Its slug and name can change until its first prompt.

        Send `If-Match` with the ETag of the model as you read it: 428 without it, 412 if it was changed since.
        Dates are declared with `/cutoff`. The key needs the scope `models:write`.
        """
        return cast(
            "shapes.ModelAnswer",
            self._sender.send(
                "PATCH", f"/api/v1/vendor/models/{_quoted(slug)}", query={}, headers={"If-Match": if_match}, body=body
            ),
        )

    def delete_model(self, slug: str) -> shapes.DeletedModel:
        """Delete a model of which nothing was ordered, with its endpoints. The key needs the scope `models:write`.

        Orders are counted in public, so a model with orders is renamed before its first prompt, or withdrawn.
        """
        return cast(
            "shapes.DeletedModel",
            self._sender.send("DELETE", f"/api/v1/vendor/models/{_quoted(slug)}", query={}, headers={}),
        )

    def withdraw_model(
        self, slug: str, body: shapes.WithdrawalBody, *, idempotency_key: str | None = None
    ) -> shapes.ModelAnswer:
        """Take a model off the boards for good. The ledger says when, by whom and why; that cannot be undone.

        Its open orders are cancelled. Its public results stay readable at their permanent links, and boards list
        its rows as retired. They still stand as first trials. The key needs the scope `models:write`.
        """
        return cast(
            "shapes.ModelAnswer",
            self._sender.send(
                "POST",
                f"/api/v1/vendor/models/{_quoted(slug)}/withdraw",
                query={},
                headers={"Idempotency-Key": idempotency_key},
                body=body,
            ),
        )

    def probe_endpoint(
        self, endpoint_id: int, body: shapes.ProbeBody, *, wait_s: int | None = None, idempotency_key: str | None = None
    ) -> shapes.ProbeAnswer:
        """Probe an endpoint: at most five requests, with questions that count nowhere, by the code that real ones
        are sent by. It costs nothing here, and shows each check with what was seen and what to change.

        The response waits up to `wait_s` seconds for the result; 202 if there is none yet. A passed probe spares
        the next order under the same protocol and configuration its own, and an endpoint that was stopped is
        asked again. Only one probe of an endpoint is made at a time. The key needs the scope `endpoints:write`.
        """
        return cast(
            "shapes.ProbeAnswer",
            self._sender.send(
                "POST",
                f"/api/v1/vendor/endpoints/{_quoted(endpoint_id)}/probe",
                query={"wait_s": wait_s},
                headers={"Idempotency-Key": idempotency_key},
                body=body,
            ),
        )

    def get_probe(self, endpoint_id: int) -> shapes.ProbeAnswer:
        """Return the newest probe of an endpoint, whoever asked for it, and the newest failure of a real request
        there.

        The key needs the scope `submissions:read`.
        """
        return cast(
            "shapes.ProbeAnswer",
            self._sender.send("GET", f"/api/v1/vendor/endpoints/{_quoted(endpoint_id)}/probe", query={}, headers={}),
        )

    def list_protocols(
        self,
        *,
        price_input: float | str | None = None,
        price_cached: float | str | None = None,
        price_output: float | str | None = None,
    ) -> shapes.OrderableProtocolList:
        """List the protocols that may be ordered: what each asks, how many problems it covers now, and what that
        costs.

        The cost is that of as many tokens as earlier answers took, at the prices given. The key needs the scope
        `submissions:read`.
        """
        return cast(
            "shapes.OrderableProtocolList",
            self._sender.send(
                "GET",
                "/api/v1/vendor/protocols",
                query={"price_input": price_input, "price_cached": price_cached, "price_output": price_output},
                headers={},
            ),
        )

    def cancel_submission(self, public_id: str, *, idempotency_key: str | None = None) -> shapes.SubmissionAnswer:
        """Cancel a submission. No more requests are sent for it; the answers that it has stay.

        Of several submissions of a model in one configuration, boards show the first that was sent a prompt. So a
        public submission that has answers is still shown with them after its embargo. The key needs the scope
        `submissions:write`.
        """
        return cast(
            "shapes.SubmissionAnswer",
            self._sender.send(
                "POST",
                f"/api/v1/vendor/submissions/{_quoted(public_id)}/cancel",
                query={},
                headers={"Idempotency-Key": idempotency_key},
            ),
        )

    def pause_submission(self, public_id: str, *, idempotency_key: str | None = None) -> shapes.SubmissionAnswer:
        """Pause a submission: no more requests are sent until `/resume`. What is answered is judged meanwhile.

        A submission may be paused within seven days of its first pause; at the end of them (`deadline`) it goes
        on by itself, since a row that its vendor could hold back would say nothing. The key needs the scope
        `submissions:write`.
        """
        return cast(
            "shapes.SubmissionAnswer",
            self._sender.send(
                "POST",
                f"/api/v1/vendor/submissions/{_quoted(public_id)}/pause",
                query={},
                headers={"Idempotency-Key": idempotency_key},
            ),
        )

    def resume_submission(self, public_id: str, *, idempotency_key: str | None = None) -> shapes.SubmissionAnswer:
        """Resume a submission that you paused. The key needs the scope `submissions:write`.

        One that waits for money goes on by a higher budget, one that is stalled by a mended endpoint.
        """
        return cast(
            "shapes.SubmissionAnswer",
            self._sender.send(
                "POST",
                f"/api/v1/vendor/submissions/{_quoted(public_id)}/resume",
                query={},
                headers={"Idempotency-Key": idempotency_key},
            ),
        )

    def retry_submission(self, public_id: str, *, idempotency_key: str | None = None) -> shapes.SubmissionAnswer:
        """Ask again at once for every sample that failed and has no verdict, without waiting for its next try.

        Samples that were given up by a fault that was not the endpoint's are asked again with all their attempts;
        a no_answer stays, since it is a result. If the order stalled on a stopped endpoint, the stop ends. If it
        waits for a passed probe before its first prompt, its endpoint is probed at once. The key needs the scope
        `submissions:write`.
        """
        return cast(
            "shapes.SubmissionAnswer",
            self._sender.send(
                "POST",
                f"/api/v1/vendor/submissions/{_quoted(public_id)}/retry-failed",
                query={},
                headers={"Idempotency-Key": idempotency_key},
            ),
        )

    def set_budget(
        self, public_id: str, body: shapes.BudgetBody, *, idempotency_key: str | None = None
    ) -> shapes.SubmissionAnswer:
        """Change the budget of a submission. If the old budget paused it, it resumes once the new one covers a
        request.

        The key needs the scope `submissions:write`.
        """
        return cast(
            "shapes.SubmissionAnswer",
            self._sender.send(
                "POST",
                f"/api/v1/vendor/submissions/{_quoted(public_id)}/budget",
                query={},
                headers={"Idempotency-Key": idempotency_key},
                body=body,
            ),
        )

    def list_items(
        self,
        public_id: str,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        state: shapes.SampleState | None = None,
        failed: bool | None = None,
    ) -> shapes.OrderItemPage:
        """List what a submission asks, one entry an answer: state, attempts, the provider's error, the next try,
        verdict.

        Verdicts are shown once the submission is neither asked nor judged any more. The key needs the scope
        `submissions:read`.
        """
        return cast(
            "shapes.OrderItemPage",
            self._sender.send(
                "GET",
                f"/api/v1/vendor/submissions/{_quoted(public_id)}/items",
                query={"cursor": cursor, "limit": limit, "state": state, "failed": failed},
                headers={},
            ),
        )

    def get_preview(self, public_id: str) -> shapes.OrderPreview:
        """Return the row of a private or embargoed submission as it would stand on its board now, for its owner
        alone.

        With its interval and the range of its rank, in the order's own window. The key needs the scope
        `submissions:read`.
        """
        return cast(
            "shapes.OrderPreview",
            self._sender.send("GET", f"/api/v1/vendor/submissions/{_quoted(public_id)}/preview", query={}, headers={}),
        )

    def create_submission(
        self, body: shapes.SubmissionBody, *, dry_run: bool | None = None, idempotency_key: str | None = None
    ) -> shapes.SubmissionAnswer:
        """Pre-register a submission. It is queued at once, and the public ledger has a line of it before the first
        prompt.

        That line (`order.registered`) names the model, or nothing if the submission is private or under an
        embargo. Order all your models at once: what one order sends to you counts as served before for orders
        that come later.

        Give either a `window` or `continuous`. What can never run is refused, with the field at fault: a stopped
        endpoint, a budget without prices. What may never run is said in `warnings`. With `dry_run` nothing is
        placed, and the answer tells samples, cost, hours, and whether the row would be ranked. An organisation
        may have at most 200 submissions under way. The key needs the scope `submissions:write`.
        """
        return cast(
            "shapes.SubmissionAnswer",
            self._sender.send(
                "POST",
                "/api/v1/vendor/submissions",
                query={"dry_run": dry_run},
                headers={"Idempotency-Key": idempotency_key},
                body=body,
            ),
        )

    def list_submissions(
        self,
        *,
        cursor: str | None = None,
        limit: int | None = None,
        state: shapes.SubmissionState | None = None,
        model: str | None = None,
        protocol: str | None = None,
        group: str | None = None,
    ) -> shapes.SubmissionPage:
        """List your organisation's submissions, newest first. The key needs the scope `submissions:read`."""
        return cast(
            "shapes.SubmissionPage",
            self._sender.send(
                "GET",
                "/api/v1/vendor/submissions",
                query={
                    "cursor": cursor,
                    "limit": limit,
                    "state": state,
                    "model": model,
                    "protocol": protocol,
                    "group": group,
                },
                headers={},
            ),
        )

    def create_submissions(
        self, body: shapes.SubmissionGroupBody, *, idempotency_key: str | None = None
    ) -> shapes.SubmissionGroup:
        """Pre-register submissions of several models on the same terms in one call: all are placed, or none.

        `GET /submissions?group=` lists them. The key needs the scope `submissions:write`.
        """
        return cast(
            "shapes.SubmissionGroup",
            self._sender.send(
                "POST",
                "/api/v1/vendor/submission-groups",
                query={},
                headers={"Idempotency-Key": idempotency_key},
                body=body,
            ),
        )

    def get_submission(self, public_id: str) -> shapes.SubmissionAnswer:
        """Return a submission: its state, the owner of the next step and the step in words, its place and its
        progress.

        `run` is the id of its run once there is one. `GET /api/v1/runs/{run_id}` estimates when the run will be
        done, and its `/events` stream the progress. `eta` is a promise: it moves back only with a reason. The key
        needs the scope `submissions:read`.
        """
        return cast(
            "shapes.SubmissionAnswer",
            self._sender.send("GET", f"/api/v1/vendor/submissions/{_quoted(public_id)}", query={}, headers={}),
        )

    def create_webhook(self, body: shapes.WebhookBody, *, idempotency_key: str | None = None) -> shapes.WebhookAnswer:
        """Register an address that events are sent to, as POST requests by the Standard Webhooks specification.

        A message is sent until a response of 200 to 299 comes within 15 seconds: ten times in three days. Its
        body is an event as `GET /events` shows it. `GET /webhooks/{id}/secret` shows the secret that verifies the
        signatures. The key needs the scope `webhooks:write`.
        """
        return cast(
            "shapes.WebhookAnswer",
            self._sender.send(
                "POST", "/api/v1/vendor/webhooks", query={}, headers={"Idempotency-Key": idempotency_key}, body=body
            ),
        )

    def list_webhooks(self) -> shapes.WebhookList:
        """List your organisation's webhooks, oldest first. The key needs the scope `webhooks:write`."""
        return cast("shapes.WebhookList", self._sender.send("GET", "/api/v1/vendor/webhooks", query={}, headers={}))

    def get_webhook(self, webhook_id: str) -> shapes.WebhookAnswer:
        """Return a webhook, and why nothing is sent to it if so. The key needs the scope `webhooks:write`."""
        return cast(
            "shapes.WebhookAnswer",
            self._sender.send("GET", f"/api/v1/vendor/webhooks/{_quoted(webhook_id)}", query={}, headers={}),
        )

    def update_webhook(self, webhook_id: str, body: shapes.WebhookChangeBody) -> shapes.WebhookAnswer:
        """Change a webhook, or switch it off or on; what waited when it was switched off is not sent by itself.

        The key needs the scope `webhooks:write`.
        """
        return cast(
            "shapes.WebhookAnswer",
            self._sender.send(
                "PATCH", f"/api/v1/vendor/webhooks/{_quoted(webhook_id)}", query={}, headers={}, body=body
            ),
        )

    def delete_webhook(self, webhook_id: str) -> None:
        """Delete a webhook with the list of its deliveries. The key needs the scope `webhooks:write`."""
        self._sender.send("DELETE", f"/api/v1/vendor/webhooks/{_quoted(webhook_id)}", query={}, headers={})

    def get_webhook_secret(self, webhook_id: str) -> shapes.WebhookSecret:
        """Return the secret that a webhook's messages are signed with. The key needs the scope `webhooks:write`."""
        return cast(
            "shapes.WebhookSecret",
            self._sender.send("GET", f"/api/v1/vendor/webhooks/{_quoted(webhook_id)}/secret", query={}, headers={}),
        )

    def rotate_webhook_secret(self, webhook_id: str, *, idempotency_key: str | None = None) -> shapes.WebhookAnswer:
        """Replace a webhook's secret; for a day messages bear a signature by the old one, too.

        The key needs the scope `webhooks:write`.
        """
        return cast(
            "shapes.WebhookAnswer",
            self._sender.send(
                "POST",
                f"/api/v1/vendor/webhooks/{_quoted(webhook_id)}/rotate",
                query={},
                headers={"Idempotency-Key": idempotency_key},
            ),
        )

    def test_webhook(self, webhook_id: str, *, idempotency_key: str | None = None) -> shapes.DeliveryAnswer:
        """Send a test event to a webhook; its delivery is in the list within seconds. The key needs
        `webhooks:write`.
        """
        return cast(
            "shapes.DeliveryAnswer",
            self._sender.send(
                "POST",
                f"/api/v1/vendor/webhooks/{_quoted(webhook_id)}/test",
                query={},
                headers={"Idempotency-Key": idempotency_key},
            ),
        )

    def list_deliveries(
        self, webhook_id: str, *, cursor: str | None = None, limit: int | None = None
    ) -> shapes.DeliveryPage:
        """List what was sent to a webhook, newest first, with the receiver's answers. The key needs
        `webhooks:write`.
        """
        return cast(
            "shapes.DeliveryPage",
            self._sender.send(
                "GET",
                f"/api/v1/vendor/webhooks/{_quoted(webhook_id)}/deliveries",
                query={"cursor": cursor, "limit": limit},
                headers={},
            ),
        )

    def redeliver_event(
        self, webhook_id: str, event_id: str, *, idempotency_key: str | None = None
    ) -> shapes.DeliveryAnswer:
        """Send an event to a webhook once more, received or not. The key needs the scope `webhooks:write`."""
        return cast(
            "shapes.DeliveryAnswer",
            self._sender.send(
                "POST",
                f"/api/v1/vendor/webhooks/{_quoted(webhook_id)}/deliveries/{_quoted(event_id)}/redeliver",
                query={},
                headers={"Idempotency-Key": idempotency_key},
            ),
        )

    def list_events(self, *, cursor: str | None = None, limit: int | None = None) -> shapes.EventPage:
        """List your organisation's events of the last 90 days, oldest first: what webhooks are sent, to be read
        instead.

        `next_cursor` is where to read on once there are more. The key needs the scope `submissions:read`.
        """
        return cast(
            "shapes.EventPage",
            self._sender.send("GET", "/api/v1/vendor/events", query={"cursor": cursor, "limit": limit}, headers={}),
        )


def _quoted(part: str | int) -> str:
    return quote(str(part), safe="")
