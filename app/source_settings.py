"""Settings of one site, from variables such as TIDEMARK_SOURCES__ATCODER__PACE_S."""

from pydantic import BaseModel, ConfigDict, Field, SecretStr


class SourceSettings(BaseModel):
    """An operator's settings for one site; what is not set is the site's own default."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    base_url: str | None = Field(default=None, description="where the site is, if not at its own address")
    edition: str | None = Field(default=None, description="which of the site's own addresses, where it has several")
    pace_s: float | None = Field(default=None, ge=0, description="seconds between two requests")
    per_day: int | None = Field(default=None, ge=1, description="requests a day to one host, at most")
    margin_s: float | None = Field(default=None, ge=0, description="seconds after a contest's end before it is used")
    enabled: bool = Field(default=True, description="whether the clock visits it")
    every_s: float = Field(default=21600, gt=0, description="seconds between two looks at its list of contests")
    api_key: SecretStr | None = Field(default=None, description="an operator's key, where the site gives more for one")
    api_secret: SecretStr | None = Field(default=None, description="the secret that goes with the key")
    fetch_statements: bool | None = Field(default=None, description="whether a visit asks for problem texts")
    show_statements: bool | None = Field(default=None, description="whether problem texts are shown on our pages")
    send_statements: bool | None = Field(default=None, description="whether models may be asked its problems")
