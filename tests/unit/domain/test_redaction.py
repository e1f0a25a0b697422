"""What a user reads keeps its sentence and loses what no user may read."""

# ruff: noqa: RUF001 - Chinese sentences have punctuation of their own

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from taskstatus.domain.redaction import MARKER, redact

JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbGljZSJ9.c2lnbmF0dXJl_-"
HIDDEN = {
    # secrets and tokens
    "Authorization: Bearer abcDEF123.ghi-jkl": f"Authorization: {MARKER}",
    "authorization=Basic dXNlcjpwdw==": f"authorization={MARKER}",
    "refused: bearer a1b2c3d4": f"refused: {MARKER}",
    f"token {JWT} expired": f"token {MARKER} expired",
    f"令牌{JWT}失效": f"令牌{MARKER}失效",
    "handle exh_1MC_ABCDEFGHJKMNPQRSTVWXYZ0123456789 refused": f"handle {MARKER} refused",
    "key AKIAIOSFODNN7EXAMPLE denied": f"key {MARKER} denied",
    "with ghp_abcdefghijklmnopqrstuvwxyz0123456789": f"with {MARKER}",
    "with sk-proj-abcdefghijklmnop1234": f"with {MARKER}",
    "with 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08": f"with {MARKER}",
    "aws_secret_access_key=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY": f"aws_secret_access_key={MARKER}",
    "password=hunter2 refused": f"password={MARKER} refused",
    "password:hunter refused": f"password:{MARKER} refused",
    "db_password: hunter2!": f"db_password: {MARKER}",
    'body {"password": "hunter two"}': f'body {{"password": {MARKER}}}',
    "密码：hunter22，请修改": f"密码：{MARKER}，请修改",
    "ran with --password hunter2 -v": f"ran with --password {MARKER} -v",
    "Cookie: sid=1; csrf=2": f"Cookie: {MARKER}",
    "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY----- is old": f"{MARKER} is old",
    # paths
    "cannot read /etc/passwd.": f"cannot read {MARKER}.",
    "cannot read /home/alice/my.txt: denied": f"cannot read {MARKER}: denied",
    "cannot read (/var/log/a)": f"cannot read ({MARKER})",
    "cannot read '/home/a b/c.txt' now": f"cannot read '{MARKER}' now",
    "cannot read /data/用户/报告.pdf now": f"cannot read {MARKER} now",
    "无法读取/data/用户/报告.pdf，请重试": f"无法读取{MARKER}，请重试",
    "cannot read ../../etc/shadow": f"cannot read {MARKER}",
    "cannot read ~/.ssh/id_rsa": f"cannot read {MARKER}",
    "in src/main/app.py": f"in {MARKER}",
    "cannot read C:\\Program Files\\App\\x.exe now": f"cannot read {MARKER} now",
    "cannot read D:/data/x.csv now": f"cannot read {MARKER} now",
    "cannot read \\\\srv01\\share\\x.doc now": f"cannot read {MARKER} now",
    "cannot read file:///etc/hosts now": f"cannot read {MARKER} now",
    # addresses
    "mysql://root:pw@db:3306/x failed": f"{MARKER} failed",
    "s3://bucket/key?X-Amz-Signature=abc failed": f"{MARKER} failed",
    "请访问https://a.example/x，谢谢": f"请访问{MARKER}，谢谢",
    "connect to db-1.internal:3306 refused": f"connect to {MARKER} refused",
    "connect to db.corp refused": f"connect to {MARKER} refused",
    "connect to redis:6379 refused": f"connect to {MARKER} refused",
    "connect to localhost:80 refused": f"connect to {MARKER} refused",
    "连接db-1:3306失败": f"连接{MARKER}失败",
    "10.0.0.12 timed out": f"{MARKER} timed out",
    "10.0.0.12:8080 timed out": f"{MARKER} timed out",
    "[::1]:8080 timed out": f"{MARKER} timed out",
    "fe80::1ff:fe23:4567:890a timed out": f"{MARKER} timed out",
    "2001:db8:0:0:0:0:2:1 timed out": f"{MARKER} timed out",
    # SQL
    "SELECT id, name FROM users WHERE id=1; try again": f"{MARKER}; try again",
    "failed: select * from users": f"failed: {MARKER}",
    "failed: select a from t order by b": f"failed: {MARKER}",
    "failed: select id from users u where u.gone is null": f"failed: {MARKER}",
    "failed: select id from users where name = 'x'": f"failed: {MARKER}",
    "INSERT INTO t VALUES (1)": MARKER,
    "insert into t (a, b) values (1, 'x')": MARKER,
    "failed: update users set a=1 where b": f"failed: {MARKER}",
    "failed: DELETE FROM users": f"failed: {MARKER}",
    "failed: delete from users where id = 3": f"failed: {MARKER}",
    "failed: DROP TABLE users": f"failed: {MARKER}",
    # stack traces
    'Failed. Traceback (most recent call last): File "/app/x.py", line 3, in f': f"Failed. {MARKER}",
    'Failed. File "<stdin>", line 1, in <module> ValueError: x': f"Failed. {MARKER}",
    "Failed. at com.acme.Foo.bar(Foo.java:12) at x.y.Z.w(Native Method)": f"Failed. {MARKER}",
    "Failed.\n\tat com.acme.Foo$1.<init>(Foo.kt:12)\n\tat x": f"Failed.\n\t{MARKER}",
    "x is undefined at async foo (/app/x.js:1:2)": f"x is undefined {MARKER}",
    "x is undefined at file:///app/x.js:10:5": f"x is undefined {MARKER}",
    "Failed. at Acme.Foo.Bar(String a) in C:\\x.cs:line 12": f"Failed. {MARKER}",
    "panic: boom goroutine 1 [running]: main.main()": f"panic: boom {MARKER}",
    "Caused by: java.io.IOException: x": MARKER,
}
PLAIN = [
    "This format is not supported yet. Convert it to PDF and try again.",
    "暂不支持该文件格式，请转换为 PDF 后重试",
    "上传/下载失败，请检查网络。",
    "支持 jpg/png/gif 格式，最大 20 MB",
    "密码错误：请重新输入",
    "文件第 3 页（共 12 页）无法识别",
    "请在 10:30 前重试",
    "Wrong password: please try again.",
    "Your token expired: sign in again.",
    "A bearer token is missing; basic auth failed.",
    "Please select a file from the list.",
    "Select a name, or a date, from the menu where it is shown.",
    "Update the settings, then delete from your library what you do not need.",
    "Insert into the slot and press OK. Drop the table row to create a view.",
    "Try again at 12:30:45, or at 9:05; the ratio is 16:9, 50% and/or 24/7.",
    "Page 3/10 failed with error:404 and status:5000.",
    "Version 1.2.3 of report.pdf is out of date.",
    "Write to alice@example.com for help.",
    "It ran until 2026-09-21T07:10:18.120Z.",
    "Task tsk_1MC_01K5M6Z3Q8V4N2T7X9R0B1C2D3 is cancelled.",
    "Job 123e4567-e89b-42d3-a456-426614174000 is cancelled.",
    "The limit is max_tokens=4096.",
    "2 pages pass, 3 don't; the first pass is over, let it pass.",
    "Your access key is missing: add one.",
    "Meet at noon (12:30), at step (4).",
    "Use std::vector or Foo::bar; a → b; x < y > z; C: is full.",
    "",
]


@pytest.mark.parametrize(("text", "shown"), HIDDEN.items(), ids=[text[:40] for text in HIDDEN])
def test_it_hides(text, shown):
    assert redact(text) == shown


@pytest.mark.parametrize("text", PLAIN)
def test_it_leaves_a_plain_sentence_alone(text):
    assert redact(text) == text


def test_several_in_one_sentence_are_hidden_each():
    text = "copy /srv/in/a.csv to sftp://u:p@h/x via 10.1.2.3:22 with token=abc"
    assert redact(text) == f"copy {MARKER} to {MARKER} via {MARKER} with token={MARKER}"


def test_a_long_text_is_cut_to_the_length_with_an_ellipsis():
    assert redact("解析失败" * 200) == ("解析失败" * 200)[:511] + "…"
    assert redact("abc", max_length=2) == "a…"
    assert redact("x" * 512) == "x" * 512


def test_half_a_secret_at_the_end_of_the_view_is_not_shown():
    text = "/srv/in/" + "a" * 300 + " see SELECT a FROM b; " + "ghp_" + "x1" * 200
    assert "x1" not in redact(text, max_length=45)


CHARACTERS = "\"'/\\:;.,=@&[]()<>-_1Aa \n…，"
FRAGMENTS = ("password=", "secret: ", "--token ", "/a/b", "C:\\x", "http://", "10.0.0.1", "::1", ":80")
PIECES = st.sampled_from([*HIDDEN, *CHARACTERS, *FRAGMENTS, MARKER])
TEXTS = st.lists(PIECES, max_size=12).map("".join) | st.text(max_size=60)


@settings(max_examples=400, deadline=None)
@given(TEXTS, st.sampled_from([8, 20, 40, 512]))
def test_twice_is_once_and_never_longer(text, max_length):
    shown = redact(text, max_length)
    assert len(shown) <= max_length
    assert bool(shown) == bool(text)
    assert redact(shown, max_length) == shown


BAIT = [
    "SELECT ",
    "select a from b where ",
    "update x set ",
    "insert into a (",
    "password=",
    "Bearer ",
    "eyJ",
    "a1/",
]
BAIT += [
    "/a",
    "/",
    '"/',
    "C:\\a",
    "\\\\a",
    "1.2.3.4",
    "::",
    "a:",
    "a.",
    "a-",
    "a1:80 ",
    "at x (",
    'File "',
    "-",
    "=",
]
BAIT += ["-----BEGIN A-----", "h://", "\uff1a", "你"]


@pytest.mark.parametrize("bait", BAIT)
def test_half_a_mebibyte_of_bait_is_read(bait):
    # Work that grows with the square of the length would meet the suite's timeout.
    redact(bait * (2**19 // len(bait)))


@pytest.mark.parametrize("bait", BAIT)
def test_long_bait_is_read_whole(bait):
    redact(bait * (2**16 // len(bait)), max_length=2**17)
