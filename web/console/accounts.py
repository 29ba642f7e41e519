"""Signing in and out of the console, joining by an invitation, the second factor, and the own account."""

from starlette.responses import Response

from app.domain.errors import InvalidInput, NotAuthenticated, NotFound, RateLimited
from app.services.vendors.console import members, passwords, second_factor, sign_in
from app.services.vendors.console.sign_in import ConsoleMember, SignInForm
from web.console.access import (
    NO_STORE,
    SECOND_FACTOR,
    SIGN_IN,
    NextPage,
    Outcome,
    caller_of,
    check_form,
    check_sender,
    cookie_name,
    cookie_token,
    find_member,
    redirect,
    set_cookie,
    show,
)
from web.console.forms import ConsoleForm
from web.context import PageRequest
from web.render import render


def sign_in_page(page: PageRequest) -> Response:
    """Render the sign-in form."""
    return _sign_in_form(page, ConsoleForm(), "", 200)


def _sign_in_form(page: PageRequest, form: ConsoleForm, refused: str, status: int) -> Response:
    return render(page, "console/sign_in.html", status=status, headers=NO_STORE, form=form, refused=refused)


def sign_in_act(page: PageRequest, form: ConsoleForm) -> Response:
    """Open a session for the right organisation, address, password and code."""
    check_sender(page)
    given = SignInForm(
        form.get("organisation").lower()[:100], form.get("email").lower()[:300], form.raw("password"),
        form.get("code")[:100],
    )  # fmt: skip
    fields = given.organisation + given.email
    try:
        if not fields.isprintable():
            raise NotAuthenticated("the organisation, address, password or code is wrong")
        with page.state.sessions.begin() as session:
            attempt = sign_in.count_attempt(session, given, caller_of(page), page.now)
        right = sign_in.check_password(given.password, attempt.password_hash)
        with page.state.sessions.begin() as session:
            token = sign_in.finish_sign_in(
                session, given, caller_of(page), page.now, page.state.vault, right_password=right,
                old_token=cookie_token(page),
            )  # fmt: skip
    except NotAuthenticated as refusal:
        return _sign_in_form(page, form, str(refusal), 401)
    except RateLimited as refusal:
        return _sign_in_form(page, form, str(refusal), 429)
    answer = redirect(page, "/console" if token.complete else SECOND_FACTOR)
    set_cookie(page, answer, token)
    return answer


def sign_out_act(page: PageRequest, form: ConsoleForm) -> Response:
    """End the session that the form belongs to."""
    who = find_member(page)
    if who is None:
        raise NotAuthenticated("You are not signed in.")
    check_form(page, who, form)
    with page.state.sessions.begin() as session:
        sign_in.sign_out(session, who, page.now)
    answer = redirect(page, SIGN_IN)
    answer.delete_cookie(cookie_name(page), path="/", httponly=True, samesite="lax")
    return answer


def join_page(page: PageRequest) -> Response:
    """Render an invitation and the form for a password: programs that prefetch links must not use it up."""
    return _join_form(page, page.request.query_params.get("token", ""), "", 200)


def _join_form(page: PageRequest, token: str, refused: str, status: int) -> Response:
    with page.state.sessions() as session:
        offer = members.find_offer(session, _check_token(token), page.now)
    return render(
        page, "console/join.html", status=status, headers=NO_STORE, token=token, offer=offer, refused=refused,
        least=passwords.MIN_PASSWORD_CHARS, most=passwords.MAX_PASSWORD_CHARS,
    )  # fmt: skip


def join_act(page: PageRequest, form: ConsoleForm) -> Response:
    """Use an invitation with a new password; its own token protects the form."""
    check_sender(page)
    token = _check_token(form.get("token"))
    try:
        with page.state.sessions() as session:
            members.find_offer(session, token, page.now)
        hashed = passwords.hash_password(_new_password(form))
    except InvalidInput as refusal:
        return _join_form(page, token, str(refusal), 422)
    with page.state.sessions.begin() as session:
        opened = members.accept_invitation(session, token, hashed, caller_of(page), page.now, page.state.vault)
    answer = redirect(page, SECOND_FACTOR)
    set_cookie(page, answer, opened)
    return answer


def _check_token(token: str) -> str:
    if not token or len(token) > 200 or not token.isprintable():
        raise NotFound("This invitation is not valid.")
    return token


def _new_password(form: ConsoleForm) -> str:
    password = form.raw("password")
    if password != form.raw("again"):
        raise InvalidInput("the two passwords differ: type the same one twice", pointer="/again")
    return password


def second_factor_page(page: PageRequest) -> Response:
    """Render the secret of an authenticator app as a QR code and as text."""
    who = find_member(page)
    if who is None:
        return redirect(page, SIGN_IN)
    return redirect(page, "/console") if who.complete else _second_factor_form(page, who, "", 200)


def _second_factor_form(page: PageRequest, who: ConsoleMember, refused: str, status: int) -> Response:
    with page.state.sessions() as session:
        secret = sign_in.pending_secret(session, who, page.state.vault)
    uri = second_factor.provisioning_uri(secret, who.email, who.organisation)
    return render(
        page, "console/second_factor.html", status=status, headers=NO_STORE, who=who, refused=refused, secret=secret,
        qr=second_factor.qr_code(uri),
    )  # fmt: skip


def second_factor_act(page: PageRequest, form: ConsoleForm) -> Response:
    """Set up the second factor by a first code, and show the recovery codes once."""
    who = find_member(page)
    if who is None:
        raise NotAuthenticated("Sign in to the console first.")
    check_form(page, who, form)
    try:
        with page.state.sessions.begin() as session:
            token, codes = sign_in.confirm_second_factor(
                session, who, form.get("code")[:100], caller_of(page), page.now, page.state.vault
            )
    except InvalidInput as refusal:
        return _second_factor_form(page, who, str(refusal), 422)
    answer = render(page, "console/recovery.html", headers=NO_STORE, codes=codes)
    set_cookie(page, answer, token)
    return answer


def account_page(page: PageRequest, who: ConsoleMember, outcome: Outcome) -> Response:
    """Render the own sessions, and the forms for a password and recovery codes."""
    with page.state.sessions() as session:
        live = sign_in.list_sessions(session, who, page.now)
    return show(
        page, who, "account.html", outcome, live=live, least=passwords.MIN_PASSWORD_CHARS,
        most=passwords.MAX_PASSWORD_CHARS,
    )  # fmt: skip


def change_password_act(page: PageRequest, who: ConsoleMember, form: ConsoleForm) -> NextPage:
    """Change the password; the present one is checked, and wrong ones are counted as attempts to sign in."""
    counted = SignInForm(who.organisation, who.email, "", "")
    with page.state.sessions.begin() as session:
        attempt = sign_in.count_attempt(session, counted, caller_of(page), page.now)
    if not sign_in.check_password(form.raw("present"), attempt.password_hash):
        raise InvalidInput("the present password is wrong", pointer="/present")
    hashed = passwords.hash_password(_new_password(form))
    with page.state.sessions.begin() as session:
        sign_in.change_password(session, who, hashed, page.now)
    return NextPage("/console/account", "password")


def renew_codes_act(page: PageRequest, who: ConsoleMember, form: ConsoleForm) -> Outcome:
    """Make new recovery codes, shown once."""
    counted = SignInForm(who.organisation, who.email, "", "")
    with page.state.sessions.begin() as session:
        sign_in.count_attempt(session, counted, caller_of(page), page.now)
    with page.state.sessions.begin() as session:
        codes = sign_in.renew_recovery_codes(session, who, form.get("code")[:100], page.now, page.state.vault)
    return Outcome(done="codes", shown=codes)


def end_session_act(page: PageRequest, who: ConsoleMember, form: ConsoleForm) -> NextPage:
    """End one of the own sessions."""
    number = form.get("session")
    if not (number.isascii() and number.isdigit() and len(number) <= 18):
        raise NotFound("you have no such session")
    with page.state.sessions.begin() as session:
        sign_in.end_own_session(session, who, int(number), page.now)
    return NextPage("/console/account", "session")


def end_others_act(page: PageRequest, who: ConsoleMember, _form: ConsoleForm) -> NextPage:
    """End all own sessions but this one."""
    with page.state.sessions.begin() as session:
        sign_in.end_other_sessions(session, who, page.now)
    return NextPage("/console/account", "sessions")
