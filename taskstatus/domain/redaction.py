"""What a worker says to a user, without what no user may read (protocol 6, source design 4.4).

Marked out are secrets, file paths, network addresses, SQL and stack traces. The rules know shapes, not
meanings: they take a harmless word too many rather than leave a password, but a plain sentence, in Chinese
too, stays whole. All use one marker, which needs no translation.
"""

import re
from typing import Final

MARKER: Final = "[…]"

_ELLIPSIS: Final = "…"
# How much of a text is looked at, in multiples of what is kept: marking shortens, so more may come into view.
_VIEW: Final = 8
_VISIBLE_ASCII: Final = bytes(range(0x21, 0x7F)).decode()

# Where paths and links end, the full-width punctuation of Chinese texts included.
_STOP: Final = r"""\s"'<>|()\[\]{}\u2018-\u201f\u3000-\u303f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65"""
_RUN: Final = rf"[^{_STOP}]*[^{_STOP}.,;:!?]"  # up to a delimiter, without the sentence's own punctuation

_SOURCE: Final = r"[^()\s]{0,300}[./\\][^()\s]{0,300}:\d"  # file and line
_FRAMES: Final = (
    r"Traceback \(most recent call last\)",
    r'\bFile "[^"\n]{1,400}", line \d',
    rf"\bat\s+(?:async\s+|new\s+)?[\w.$<>/@-]{{1,200}}\s?\((?:{_SOURCE}|Native Method\))",
    r"\bat\s+(?:file:|node:|/|[A-Za-z]:\\)[^\s()]{1,300}:\d+:\d",
    r"\bat\s+[\w.`+<>]{1,200}\([^()\n]{0,200}\) in \S",
    r"\bCaused by: [\w.$]{1,200}(?:Exception|Error)\b",
    r'\bException in thread "',
    r"\bgoroutine \d{1,9} \[",
    r"\b\w{1,100}\.go:\d+ \+0x[0-9a-f]",
    r"\b(?i:stack ?(?:back)?trace):",
    r"\bpanicked at \S",
    r"#\d{1,3}\s+(?:0x[0-9a-f]+ in |\S{1,300}\(\d+\): )",
)
_NAME: Final = r"""[\w.`"\[\]]{1,128}"""
_TEST: Final = rf"where\s+{_NAME}\s*(?:[=<>!]|in\s*\(|like\s+'|is\s+(?:not\s+)?null)"
_STATEMENTS: Final = (
    # In capitals the words are enough. In small letters they are English too: more of the grammar is asked.
    r"SELECT\s[^;]{1,1000}?\sFROM\s",
    r"(?:INSERT|REPLACE|MERGE)\s+INTO\s",
    r"DELETE\s+FROM\s",
    rf"UPDATE\s+{_NAME}\s+SET\s",
    r"(?:CREATE|ALTER|DROP|TRUNCATE)\s+(?:TABLE|INDEX|UNIQUE|VIEW|DATABASE|SCHEMA|USER|TRIGGER|PROCEDURE)\s",
    r"WITH\s+\w{1,128}\s+AS\s*\(",
    rf"(?i:select)\s+(?i:distinct\s+)?\*\s+(?i:from)\s+{_NAME}",
    rf"(?i:select\s[^;]{{1,300}}?\sfrom\s+{_NAME}(?:\s+\w{{1,30}})?\s+(?:{_TEST}|join\s|(?:order|group)\s+by\s))",
    rf"(?i:insert\s+into\s+{_NAME}\s*(?:\([^;()]{{1,500}}\)\s*)?(?:values\s*\(|select\s))",
    rf"(?i:update\s+{_NAME}\s+set\s+{_NAME}\s*=)",
    rf"(?i:delete\s+from\s+{_NAME}\s+{_TEST})",
    rf"(?i:(?:create|alter|drop)\s+table\s+(?:if\s+(?:not\s+)?exists\s|{_NAME}\s*(?:\(\w+\s\w+|add\s|modify\s|;)))",
)
# Nothing that follows a frame or a statement's first words is for a user.
_TRACE: Final = rf"(?:{'|'.join(_FRAMES)})(?s:.)*"
_SQL: Final = rf"\b(?:{'|'.join(_STATEMENTS)})[^;]*"

_KEY: Final = (
    r"(?i:pass(?:word|wd|phrase|code)|pwd|secret|token|(?:api|access|private|secret)[_-]?key(?:[_-]?id)?"
    r"|credentials?|authorization|session[_-]?id|密码|口令|密钥|令牌)(?:_\w{1,20})?"
)
_QUOTED: Final = r""""[^"]*"|'[^']*'"""
_SECRET: Final = (
    r"-----BEGIN [A-Z ]{1,40}-----(?s:.)*?(?:-----END [A-Z ]{1,40}-----|\Z)",
    r"""(?P<keep>(?i:authorization)["']?\s?[:=]\s?["']?)(?i:bearer|basic|digest|token)\s+[^\s"']+""",
    r"(?P<keep>\b(?i:cookie):\s?)[^\n]+",
    rf"""(?P<keep>{_KEY}["']?\s{{0,3}}(?:=>?\s{{0,3}}|:(?=[!-~])))(?:{_QUOTED}|[^\s"'&;]+)""",
    # After a colon and a space a sentence may go on, so the value has to look like a secret.
    rf"""(?P<keep>{_KEY}["']?\s{{0,3}}[:\uff1a]\s{{0,3}})(?:{_QUOTED}|(?=[!-~]{{0,64}}[0-9!@#$%^*_+=/~])[!-~]{{4,}})""",
    rf"(?P<keep>--{_KEY}\s+)[^\s-]\S*",
    r"\b(?i:bearer|basic)\s+(?=\S{0,200}[0-9=])[\w.~+/=-]{6,}",
    r"(?<![\w-])eyJ[\w-]{4,}(?:\.[\w-]*)+",
    r"(?<![A-Za-z0-9])exh_\w{4,}",
    r"(?<![A-Za-z0-9])(?:A(?:KIA|SIA|ROA|IDA)[0-9A-Z]{16}|LTAI[0-9A-Za-z]{12,}|AIza[\w-]{30,})",
    r"(?<![A-Za-z0-9])(?:gh[opsur]_|github_pat_|glpat-|xox[abeprs]-|[sr]k_(?:live|test)_|sk-|npm_|pypi-)[\w-]{10,}",
    r"(?<![\w+/=-])(?=[A-Za-z+/_=-]*[0-9])(?=[0-9+/_=-]*[A-Za-z])[A-Za-z0-9+/_=-]{40,}",
)
_ROOTS: Final = "home|root|usr|var|etc|opt|tmp|data|mnt|srv|app|Users|Volumes|proc|workspace|export|storage"
_SUFFIXES: Final = (
    r"(?:py|java|kt|js|mjs|ts|tsx|go|rs|rb|php|cs|c|cc|cpp|h|sh|sql|json|ya?ml|toml|xml|ini|conf|cfg|env|log|pem"
    r"|key|crt|txt|csv|md|pdf|docx?|xlsx?|pptx?|zip|tar|gz|png|jpe?g)"
)
_PATH: Final = (
    r"""(?P<keep>["'])(?:~?/|[A-Za-z]:[\\/]|\\\\)(?=[^"'\n]*[/\\.])[^"'\n]+(?=["'])""",
    rf"(?<![A-Za-z0-9])[A-Za-z]:(?:\\+|/(?!/))(?:[^\\/:*?\"<>|\n]{{1,120}}[\\/]+)*[^\\/:*?{_STOP}]*",
    rf"(?<!\\)\\\\[\w.-]{{1,100}}\\+(?:{_RUN})?",
    rf"(?u:(?<![\w/<.~]))(?:(?:~|\.{{1,2}})/{_RUN}|/[^/{_STOP}]+/{_RUN}|/[^/{_STOP}.]+\.{_SUFFIXES}\b)",
    rf"(?<=[\u3400-\u9fff])/(?:{_ROOTS})/{_RUN}",
    rf"(?<![\w./\\-])(?:[\w.-]++[/\\])++[\w.-]*\.{_SUFFIXES}(?![\w-])",
)
_HEX: Final = r"[0-9A-Fa-f]{1,4}"
_HALF: Final = rf"(?:{_HEX}(?::{_HEX}){{0,6}})?"
_IPV6: Final = rf"(?:(?:{_HEX}:){{7}}{_HEX}|(?=[A-Fa-f:]*[0-9]){_HALF}::{_HALF})"
_OCTET: Final = r"(?:25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])"
_PORT: Final = r":[0-9]{1,5}(?!\.?[0-9])"
_WORDS: Final = "error|code|status|line|page|row|column|step|task|job|user|order|version|size|count|total|number|id"
_INSIDE: Final = "(?:internal|local|lan|corp|intranet|localdomain|svc)"
_URL: Final = rf"(?<![A-Za-z0-9])[A-Za-z][A-Za-z0-9+.-]{{1,20}}://{_RUN}"
_ADDRESS: Final = (
    rf"\[{_IPV6}\](?:{_PORT})?|(?<![\w:]){_IPV6}(?![\w:])",
    rf"(?<![\w.])(?:{_OCTET}\.){{3}}{_OCTET}(?!\w|\.[0-9])(?:{_PORT})?(?:/[0-9]{{1,2}}\b)?",
    rf"(?<![\w.-])(?:[A-Za-z0-9][\w-]{{0,62}}\.)+(?:[A-Za-z][\w-]{{0,62}}{_PORT}|{_INSIDE}\b(?:{_PORT})?)",
    rf"(?<![\w.-])(?:(?i:localhost)|[a-z][a-z0-9]*(?:-[a-z0-9]+)+|[a-z]+[0-9]+)(?=:[0-9]{{2}}){_PORT}",
    rf"(?<![\w.-])(?!(?:{_WORDS}):)[a-z]{{2,63}}(?=:[0-9]{{4}}){_PORT}",
)
_RULES: Final = tuple(re.compile(rule, re.ASCII) for rule in (_TRACE, _SQL, _URL, *_SECRET, *_PATH, *_ADDRESS))


def redact(text: str, max_length: int = 512) -> str:
    """The text with all that is sensitive marked out, at most `max_length` characters; twice is once.

    What lies beyond eight times that length is not looked at, and dropped.
    """
    text = _in_view(text, _VIEW * max_length)
    while (marked := _cut(_marked(text), max_length)) != text:  # a mark may lay bare what stood next to it
        text = marked
    return text


def _in_view(text: str, length: int) -> str:
    """The beginning of a text, without the word that the end cuts in two: half a secret has no shape."""
    return text if len(text) <= length else text[:length].rstrip(_VISIBLE_ASCII) + MARKER


def _marked(text: str) -> str:
    for rule in _RULES:
        text = rule.sub(_mark, text)
    return text


def _mark(match: re.Match[str]) -> str:
    return (match.groupdict().get("keep") or "") + MARKER


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 1] + _ELLIPSIS
