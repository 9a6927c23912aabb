"""The one door for secrets: what goes through it holds none, and is otherwise as it was."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from passhat.model.plain import clipped
from passhat.model.redact import Redactor, masked
from passhat.model.task import Task
from tests.model.nouns import json as jsons

LETTERS = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
SHAPES = {
    "sk": "sk-" + LETTERS,
    "sk-ant": "sk-ant-api03-" + LETTERS,
    "aws": "AKIA" + "ABCDEFGHIJKLMNOP",
    "google": "AIza" + LETTERS[:35],
    "github": "ghp_" + LETTERS,
    "github pat": "github_pat_" + LETTERS,
    "gitlab": "glpat-" + LETTERS[:20],
    "slack": "xoxb-" + LETTERS,
    "hugging face": "hf_" + LETTERS,
    "jwt": f"eyJ{LETTERS}.eyJ{LETTERS}.{LETTERS}",
    "private key": "-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc\n-----END RSA PRIVATE KEY-----",
}


def mask(value: Any, *secrets: str) -> Any:  # noqa: ANN401 - any JSON
    """What is left of *value*."""
    return json.loads(Redactor(secrets).mask_one(json.dumps(value, ensure_ascii=False).encode()))


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("frame", ["{}", "key={}, ok", "\n{}\n", "\t{}", "({})", '"{}"', "\\{}", "é{}é"])
def test_key_of_a_known_shape_is_masked(name: str, frame: str) -> None:
    """Keys of well-known services are masked wherever they stand in a text, and the rest of it stays."""
    text = frame.format(SHAPES[name])

    assert mask({"a": [text, 1]}) == {"a": [frame.format("[redacted]"), 1]}


@pytest.mark.parametrize("name", SHAPES)
def test_key_within_json_within_a_text_is_masked(name: str) -> None:
    """JSON that stands in a text, even twice over, hides no key."""
    once = json.dumps({"reply": f"line\n{SHAPES[name]}"})
    twice = json.dumps({"log": once})

    assert SHAPES[name][:20] not in json.dumps(mask({"a": once, "b": twice}))


def test_bearer_token_is_masked() -> None:
    """A token after the word Bearer goes; the word stays."""
    assert mask("Authorization: Bearer abcdef0123456789.XYZ==") == "Authorization: Bearer [redacted]"


@pytest.mark.parametrize(
    "text", ["postgres://bob:hunter22@db/x", "https://bob:p%40ss@host:8080/path", "redis://:hunter22@h"]
)
def test_credentials_in_a_url_are_masked(text: str) -> None:
    """The user and password of a URL go; scheme, host and path stay."""
    before, after = text.partition("://")[0], text.partition("@")[2]

    assert mask(text) == f"{before}://[redacted]@{after}"


def test_values_of_secret_variables_are_masked() -> None:
    """The value of a variable named like a secret is masked; other variables are not."""
    environment = {
        "OPENAI_API_KEY": "value-one",
        "db_password": "value-two",
        "GITHUB_TOKEN": "value-three",
        "MY_SECRET": "value-four",
        "AZURE_SECRET": ".8Q~value-five",
        "APP_TOKEN": "~value-six",
        "HOME": "value-seven",
        "KEYBOARD": "value-eight",
        "SSH_KEY": "~/.ssh/id",
        "OTHER_KEY": "~/keys/one",
        "PIN_PASSWORD": "1234",
    }
    redactor = Redactor.from_environment(environment, {"~/.ssh/id", "~/keys/one"}.__contains__)
    texts = list(environment.values())

    left = json.loads(redactor.mask_one(json.dumps(texts).encode()))

    assert left == ["[redacted]"] * 6 + texts[6:]


def test_key_that_looks_like_a_path_is_masked() -> None:
    """A key may begin with a slash, as base64 does: it is left alone only where it leads to something."""
    environment = {"MY_API_KEY": "/abs/pathkey123", "TLS_KEY": "/keys/tls.pem", "PWD": "/folder"}
    redactor = Redactor.from_environment(environment, {"/keys/tls.pem", "/folder"}.__contains__)

    left = json.loads(redactor.mask_one(json.dumps(list(environment.values())).encode()))

    assert left == ["[redacted]", "/keys/tls.pem", "/folder"]


@pytest.mark.parametrize("secret", ['p"a\\ss\nword', "plain-secret", "sécret-ü", "pass word&%", "tab\tbed-x"])
def test_value_is_masked_in_every_form(secret: str) -> None:
    """A value is found as it is, JSON-escaped, escaped twice, and in a URL."""
    once = json.dumps({"x": secret}, ensure_ascii=False)
    twice = json.dumps({"y": once}, ensure_ascii=False)
    left = json.dumps(mask({"a": secret, "b": [once, twice], "c": f"https://h/?q={quote(secret, safe='')}"}, secret))

    assert left.count("[redacted]") == 4
    assert mask({secret: 1}, secret) == ({secret: 1} if secret.isalpha() else {"[redacted]": 1})


def test_secret_of_digits_leaves_numbers_alone() -> None:
    """A secret that is digits goes from texts, and no number is torn apart."""
    assert mask({"n": 1234567, "t": "pin 123456!"}, "123456") == {"n": 1234567, "t": "pin [redacted]!"}


def test_secret_that_is_a_fields_name_leaves_the_field() -> None:
    """A secret that is a plain word does not rename the fields of a record."""
    assert mask({"answer": "the answer is"}, "answer") == {"answer": "the [redacted] is"}


def test_markers_in_two_texts_are_no_key() -> None:
    """The beginning of a key in one text and its end in another do not swallow what is between."""
    value = {"a": "-----BEGIN PRIVATE KEY-----", "b": 1, "c": "-----END PRIVATE KEY-----"}

    assert mask(value) == value


@pytest.mark.parametrize(
    "text",
    [
        "task-oriented-dialogue-systems-are-fun",
        "please ask-me-anything-you-want-to-know",
        "https://example.com/path?x=1#frag",
        "mail me@example.com: thanks",
        "10:30 @ the office",
        "ghost_pirates and xoxo",
        "sk-short",
        "eyJ is how JSON begins in base64",
        "Bearer of good news",
        "a\\nb \\u0041 \x00",
    ],
)
def test_harmless_text_is_left_alone(text: str) -> None:
    """Text that only resembles a secret stays as it is."""
    assert mask({"a": text}) == {"a": text}


@given(st.lists(jsons, max_size=4))
def test_without_a_secret_nothing_is_touched(values: list[Any]) -> None:
    """Documents without secrets are given back themselves."""
    documents = [json.dumps(value).encode() for value in values]

    assert Redactor(["no such value anywhere"]).mask(documents) is documents


@given(jsons, st.lists(st.text(min_size=6, max_size=12), min_size=1, max_size=3), st.data())
def test_json_stays_json_and_holds_no_secret(value: Any, secrets: list[str], data: st.DataObject) -> None:  # noqa: ANN401
    """Whatever the secrets are, a document stays one, keeps its shape, and its texts hold none of them."""
    around = data.draw(st.text(max_size=6))
    document = {"value": value, "texts": [around + secret + around for secret in secrets]}

    left = mask(document, *secrets)

    assert set(left) == {"value", "texts"}
    assert len(left["texts"]) == len(secrets)
    assert not any(secret in text.replace("[redacted]", "\0") for secret in secrets for text in left["texts"])


@given(
    st.text(alphabet='nrtbfu0"\\/\n\x00a', min_size=6, max_size=9), st.text(alphabet='nrtbfu0"\\/\n\x00a', max_size=30)
)
def test_secrets_of_escapes_do_not_break_json(secret: str, text: str) -> None:
    """A secret made of what JSON escapes with breaks no document."""
    left = mask([text, text + secret], secret)

    assert len(left) == 2
    assert secret not in left[1].replace("[redacted]", "\x01")


def test_noun_is_masked_as_a_noun() -> None:
    """A noun is given back without its secrets, and itself where it has none."""
    task = Task("a", f"use {SHAPES['sk']}", metadata={"url": "x://u:p@h"})

    assert masked(task, Redactor()) == Task("a", "use [redacted]", metadata={"url": "x://[redacted]@h"})
    assert masked(Task("a", "b"), Redactor()) == Task("a", "b")


HOLDING: dict[str, Callable[[str], str]] = {
    "plain": str,
    "json": lambda text: json.dumps({"k": text}, ensure_ascii=False),
    "ascii json": lambda text: json.dumps({"k": text}),
    "python": repr,
    "python, in a list": lambda text: repr([text, 'it\'s "this"']),
    "python, in a text": lambda text: repr(f'it\'s "this": {text}'),
    "json in json": lambda text: json.dumps({"k": json.dumps({"k": text})}),
    "json in python": lambda text: repr(json.dumps({"k": text}, ensure_ascii=False)),
    "python in json": lambda text: json.dumps({"k": repr(text)}),
    "python in python": lambda text: repr(f"{[text]!r} isn't"),
    "url": lambda text: f"https://h/?q={quote_plus(text)}",
    "path of a url": lambda text: f"https://h/{quote(text)}",
}
CUTTING: dict[str, Callable[[str, int], str]] = {
    "whole": lambda text, _: text,
    "ours": clipped,
    "at its end": lambda text, at: text[:at],
    "with dots": lambda text, at: f"{text[:at]}... and more of it",
    "with an ellipsis": lambda text, at: f"{text[:at]}… and more of it",
    "within brackets": lambda text, at: f"(he said '{text[:at]}')",
}
keys = st.text(alphabet="abcdefghijkABCDEFGH0123456789+/=-_.~ 'äé€\U0001f511\"\\\n\t\x07", min_size=8, max_size=40)


def pieces(text: str) -> set[str]:
    """Everything of eight characters that *text* holds."""
    return {text[at : at + 8] for at in range(len(text) - 7)}


@pytest.mark.parametrize("cutting", CUTTING)
@pytest.mark.parametrize("holding", HOLDING)
@given(data=st.data())
def test_no_piece_of_a_secret_is_left(holding: str, cutting: str, data: st.DataObject) -> None:
    """However a text holds a secret, and wherever it was cut, no eight characters of it are left."""
    secret = data.draw(keys)
    hold, cut = HOLDING[holding], CUTTING[cutting]
    around = "the key: "
    whole = hold(around + secret)
    text = cut(whole, data.draw(st.integers(0, len(whole))))
    known = pieces(secret).union(*(pieces(json.dumps(secret, ensure_ascii=way)[1:-1]) for way in (True, False)))

    left = mask({"text": text}, secret)["text"]

    assert not pieces(left.replace("...", "\0")) & known - pieces(cut(hold(around), len(whole)))


@pytest.mark.parametrize("name", [name for name in SHAPES if name != "private key"])
@pytest.mark.parametrize("left", [11, 12, 15])
def test_half_a_key_is_masked_where_we_cut(name: str, left: int) -> None:
    """What of a key of a known shape is left before a cut of ours is masked, whatever it lacks."""
    text = f"the key: {SHAPES[name]}"

    assert mask(clipped(text, 9 + left)) == f"the key: [redacted] … (cut: {len(text)} characters)"


def test_half_a_private_key_is_masked_where_we_cut() -> None:
    """A private key without its end is none the less one; half a password in a URL as well."""
    key, url = f"Key: {SHAPES['private key']}", "at postgres://bob:hunter22@db/x"

    assert mask(clipped(key, 45)) == f"Key: [redacted] … (cut: {len(key)} characters)"
    assert mask(clipped(url, 22)) == f"at postgres://[redacted] … (cut: {len(url)} characters)"


@pytest.mark.parametrize(
    "text", ["push to github", "https:/", "correct", "sk-", "the key begins with correct ho and so on"]
)
def test_what_only_begins_like_a_secret_is_left_alone(text: str) -> None:
    """Less than eight characters are no piece, and a piece that was not cut off is another word."""
    secrets = ("github_pat_0123456789", "https://vault.example", "correct horse battery", "sk-proj-0123456789")

    assert mask(text, *secrets) == text


def test_secret_that_the_mask_holds_ends() -> None:
    """A secret that stands in the mask itself is masked once."""
    assert mask("it is redacted", "redacted-12") == "it is [redacted]"
    assert mask("[redacted]", "redacted") == "[[redacted]]"


def test_secret_that_is_no_text_is_masked() -> None:
    """A variable may hold bytes that are no UTF-8; such a value is stored escaped, and masked so."""
    assert mask(r"key: p\udcffssword", "p\udcffssword") == "key: [redacted]"
