"""What no user may read, by its shape: secrets, paths, addresses, SQL and stack traces (protocol 6).

Every rule takes a harmless word too many rather than leave a password, costs time in proportion to the text alone, and
keeps what it calls `keep`.
"""

import re
from typing import Final

# Where paths and links end, the full-width punctuation of Chinese texts included.
_STOP: Final = r"""\s"'<>|()\[\]{}\u2018-\u201f\u3000-\u303f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65"""
_RUN: Final = rf"[^{_STOP}]*[^{_STOP}.,;:!?]"  # up to a delimiter, without the sentence's own punctuation

_SOURCE: Final = r"[^()\s]{0,300}[./\\][^()\s]{0,300}:\d"  # file and line
_NOWHERE: Final = r"Native Method|Unknown Source|<generated>|index \d"
_FRAMES: Final = (
    r"Traceback \(most recent call last\)",
    r'\bFile "[^"\n]{1,400}", line \d',
    rf"\bat\s+(?:async\s+|new\s+)?[\w.$<>/@-]{{1,200}}\s?\((?:{_SOURCE}|{_NOWHERE})",
    r"\bat\s+(?:file:|node:|/|[A-Za-z]:\\)[^\s()]{1,300}:\d+:\d",
    r"\bat\s+[\w.`+<>]{1,200}\([^()\n]{0,200}\) in \S",
    r"\bat\s+(?:[A-Za-z_][\w`+<>]{0,100}\.){2,20}[\w`<>]{1,100}\([^()\n]{0,200}\)",
    r"\bCaused by: [\w.$]{1,200}(?:Exception|Error)\b",
    r'\bException in thread "',
    r"\bgoroutine \d{1,9} \[",
    r"\b\w{1,100}\.go:\d+ \+0x[0-9a-f]",
    r"(?<![\w/])[\w/.-]{1,200}\.(?:go|rb|py|php):\d{1,6}:(?:in |\s)",
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
    r"(?:GRANT|REVOKE)\s[^;]{1,200}?\sON\s",
    rf"CALL\s+{_NAME}\s*\(",
    rf"(?i:select)\s+(?i:distinct\s+)?\*\s+(?i:from)\s+{_NAME}",
    rf"(?i:select\s[^;]{{1,300}}?\sfrom\s+{_NAME}(?:\s+\w{{1,30}})?\s+(?:{_TEST}|join\s|limit\s\d|(?:order|group)\s+by\s))",
    rf"(?i:(?:sql|query|statement|executing)\W{{1,5}}select\s[^;]{{1,300}}?\sfrom\s+{_NAME})",
    rf"(?i:truncate\s+table\s+{_NAME})",
    rf"(?i:insert\s+into\s+{_NAME}\s*(?:\([^;()]{{1,500}}\)\s*)?(?:values\s*\(|select\s))",
    rf"(?i:update\s+{_NAME}\s+set\s+{_NAME}\s*=)",
    rf"(?i:delete\s+from\s+{_NAME}\s+{_TEST})",
    rf"(?i:(?:create|alter|drop)\s+table\s+(?:if\s+(?:not\s+)?exists\s|{_NAME}\s*(?:\(\w+\s\w+|add\s|modify\s|;)))",
)
# What databases say of a statement names tables and columns, or quotes their rows.
_COMPLAINTS: Final = (
    r"(?i:\bduplicate entry ')",
    r"\bSQLSTATE\b",
    r"(?i:\bconstraint failed: )",
    r"(?i:\bviolates [\w -]{1,40} constraint \")",
    r"(?i:\bin your sql syntax)",
)
# Nothing that follows a frame, such a complaint or a statement's first words is for a user.
_TRACE: Final = rf"(?:{'|'.join(_FRAMES + _COMPLAINTS)})(?s:.)*"
_SQL: Final = rf"\b(?:{'|'.join(_STATEMENTS)})[^;]*"

_KEY: Final = (
    r"(?i:pass(?:word|wd|phrase|code)|(?<![a-z0-9])pass(?![a-z])|pwd|secret|token"
    r"|(?:api|access|private|secret|account|signing|encryption|master|auth)[ _-]?key(?:[ _-]?id)?"
    r"|credentials?|authorization|sess(?:ion)?[_-]?id|密码|口令|密钥|令牌)(?:_\w{1,20})?"
)
_EQUALS: Final = r"(?:=>?|\uff1d|%3[Dd])"
_QUOTED: Final = r"""\\{0,3}"[^"]*"|\\{0,3}'[^']*'"""
_MARK: Final = r"""\\{0,3}["']?"""  # a quotation mark after a name, itself quoted or not
_VALUE: Final = r"""[^\s"'&;\u3001\u3002\uff0c\uff1b]+"""  # Chinese texts need no space before they go on
_MIXED: Final = r"(?=[A-Za-z+/_=-]*[0-9])(?=[0-9+/_=-]*[A-Za-z])"
# How some well-known services begin the secrets that they hand out.
_ISSUED: Final = (
    r"gh[opsur]_|github_pat_|glpat-|xox[abeprs]-|[sr]k_(?:live|test)_|whsec_|sk-|npm_|pypi-|hf_|ya29\.|GOCSPX-|SG\."
)
_LETTERBOXES: Final = "e-?mail|mail|mailto|contact|support|help|write|to|from|cc|by|user|owner"
_SECRET: Final = (
    r"-----BEGIN [A-Z ]{1,40}-----(?s:.)*?(?:-----END [A-Z ]{1,40}-----|\Z)",
    r"""(?P<keep>(?i:authorization)["']?\s?[:=]\s?["']?)(?i:bearer|basic|digest|token)\s+[^\s"']+""",
    r"(?P<keep>\b(?i:cookie):\s?)[^\n]+",
    rf"""(?P<keep>{_KEY}{_MARK}\s{{0,3}}(?:{_EQUALS}\s{{0,3}}|:(?=[!-~])))(?:{_QUOTED}|{_VALUE})""",
    # After a colon and a space a sentence may go on, so the value has to look like a secret.
    rf"""(?P<keep>{_KEY}{_MARK}\s{{0,3}}[:\uff1a]\s{{0,3}})(?:{_QUOTED}|(?=[!-~]{{0,64}}[0-9!@#$%^*_+=/~])[!-~]{{4,}})""",
    rf"""(?P<keep>{_KEY}\s+(?:is|was)\s+["']?){_MIXED}[!-~]{{6,}}""",
    r"(?P<keep>(?:密码|口令|密钥|令牌)[是为]\s?)[!-~]{4,}",
    r"(?P<keep>\b(?i:ak|sk|sig|signature|x-amz-[a-z-]{1,40})=)[^\s&;,\u3001\u3002\uff0c\uff1b]{6,}",
    rf"(?P<keep>\b(?i:x-[a-z-]{{0,40}}(?:token|key|secret|auth))\s?:\s?){_VALUE}",
    r"(?P<keep>\b(?:mysql|mariadb)\w{0,20}\s(?:[^\n]{0,200}?\s)?-p)\S+",
    r"(?P<keep>\s(?:-u|--user)\s+[^\s:]{1,64}:)\S+",
    rf"(?<![\w.:/-])(?!(?i:{_LETTERBOXES}):)[\w.-]{{1,64}}:[^\s:@/]{{1,64}}@[\w-]{{1,63}}(?:\.[\w-]{{1,63}})*",
    rf"(?P<keep>--{_KEY}\s+)[^\s-]\S*",
    r"\b(?i:bearer|basic)\s+(?:(?=\S{0,200}[0-9=])[\w.~+/=-]{6,}|[\w.~+/=-]{20,})",
    r"(?<![\w-])eyJ(?:[\w-]{4,}(?:\.[\w-]*)+|[\w-]{12,})",
    r"(?<![A-Za-z0-9])exh_\w{4,}",
    r"(?<![A-Za-z0-9])(?:A(?:KIA|SIA|ROA|IDA)[0-9A-Z]{16}|AKID[0-9A-Za-z]{12,}|LTAI[0-9A-Za-z]{12,}|AIza[\w-]{30,})",
    rf"(?<![A-Za-z0-9])(?:{_ISSUED})[\w.-]{{10,}}",
    rf"(?<![\w+/=-]){_MIXED}(?:[A-Za-z0-9+/_=-]{{40,}}|[A-Za-z0-9]{{32,}})",
    r"\bAAAA(?=[A-Za-z+/]{0,60}[0-9])[0-9A-Za-z+/]{20,}",
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
    rf"(?u:(?<![\w/<.~]))(?:(?:~(?:[A-Za-z]\w{{0,31}})?|\.{{1,2}})/{_RUN}|/[^/{_STOP}]+/{_RUN}|/[^/{_STOP}.]+\.{_SUFFIXES}\b)",
    rf"(?<![\w/<.~])/(?:{_ROOTS}|dev|lib|run|boot)\b(?![\w/])",
    rf"(?:\$\{{?[A-Z_]\w{{0,40}}\}}?|%[A-Za-z_]\w{{0,40}}%)[/\\]{_RUN}",
    r"\barn:aws[\w-]{0,20}:\S+",
    rf"(?<=[\u3400-\u9fff])/(?:{_ROOTS})/{_RUN}",
    rf"(?<![\w./\\-])(?:[\w.-]++[/\\])++[\w-][\w.-]*\.{_SUFFIXES}(?![\w-])",
)
_HEX: Final = r"[0-9A-Fa-f]{1,4}"
_HALF: Final = rf"(?:{_HEX}(?::{_HEX}){{0,6}})?"
_IPV6: Final = rf"(?:(?:{_HEX}:){{7}}{_HEX}|(?=[A-Fa-f:]*[0-9]){_HALF}::{_HALF})"
_NUMBERED: Final = r"(?<![Ss]ection )(?<![Vv]ersion )"  # what has numbers of this form and is no address
_OCTET: Final = r"(?:25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])"
_PORT: Final = r":[0-9]{1,5}(?!\.?[0-9])"
_WORDS: Final = "error|code|status|line|page|row|column|step|task|job|user|order|version|size|count|total|number|id"
_INSIDE: Final = "(?:internal|local|lan|corp|intranet|localdomain|svc)"
_STANDARDS: Final = "ISO|IEC|EN|DIN|GB|BS|ASTM|IEEE|RFC"
_CLOUDS: Final = "amazonaws|aliyuncs|myqcloud|googleapis|digitaloceanspaces|cloudflarestorage"
_URL: Final = rf"(?<![A-Za-z0-9])[A-Za-z][A-Za-z0-9+.-]{{1,20}}://{_RUN}"
_ADDRESS: Final = (
    rf"\[{_IPV6}\](?:{_PORT})?|(?<![\w:]){_IPV6}(?![\w:])",
    rf"(?<![\w.]){_NUMBERED}(?:{_OCTET}\.){{3}}{_OCTET}(?!\w|\.[0-9])(?:{_PORT})?(?:/[0-9]{{1,2}}\b)?",
    rf"(?<![\w.-])(?:[A-Za-z0-9][\w-]{{0,62}}\.)+(?:[A-Za-z][\w-]{{0,62}}{_PORT}|{_INSIDE}\b(?:{_PORT})?)",
    rf"(?<![\w.-])(?:(?i:localhost)|[a-z][a-z0-9]*(?:[-_][a-z0-9]+)+|[a-z]+[0-9]+)(?=:[0-9]{{2}}){_PORT}",
    rf"(?<![\w.-])(?!(?:{_STANDARDS})[0-9])[A-Z]{{2,20}}-?[0-9]{{1,6}}(?=:[0-9]{{4}}){_PORT}",
    rf"(?<![\w.-])(?:[\w-]{{1,63}}\.)+(?:{_CLOUDS})\.(?:com|net|cn)(?:\.cn)?(?:/{_RUN})?",
    r"""(?P<keep>\bhost(?:name)?\s?=\s?["']?)[\w.-]+""",
    r"""(?P<keep>\b(?:server (?:on|at)|to (?:host|server)) ["'])[\w.:-]+""",
    r"(?<![\w:])(?:[0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}(?![\w:])",
    rf"(?<![\w.-])(?!(?:{_WORDS}):)[a-z]{{2,63}}(?=:[0-9]{{4}}){_PORT}",
)
RULES: Final = tuple(re.compile(rule, re.ASCII) for rule in (_TRACE, _SQL, _URL, *_SECRET, *_PATH, *_ADDRESS))
