"""Where codes stand in the drawing of a set, and what is said of them."""

import pytest

from registries.admin.forms.json_lines import line_of
from registries.admin.graph.drawing import drawing_of, name_in, tone_of
from registries.admin.graph.layout import graph_of
from registries.admin.graph.view import graph_context
from tests.registries.support import status, statuses


def layers(rows):
    return {node.code: node.layer for node in graph_of(rows).nodes}


def test_codes_stand_in_the_order_in_which_they_are_reached_and_ends_last():
    rows = [
        *statuses(),
        status("REVIEW", allowedFrom=["PARSING"]),
        status("BROKEN", "FAILED", allowedFrom=["QUEUED"]),
    ]
    assert layers(rows) == {"QUEUED": 0, "PARSING": 1, "REVIEW": 2, "DONE": 3, "BROKEN": 3}


def test_what_nothing_reaches_follows_what_is_reached():
    assert layers([*statuses(), status("LOST")])["LOST"] == 2


def test_a_draft_that_makes_no_sense_yet_is_drawn_all_the_same():
    rows = [status("A", allowedFrom=["B", "A", "NOWHERE"]), status("B", allowedFrom=["A"])]
    graph = graph_of(rows)
    assert set(graph.edges) == {("B", "A"), ("A", "B")}
    assert len(drawing_of(graph, "en").curves) == 2
    assert graph_context([])["drawing"] is None


def test_codes_of_steps_only_are_not_drawn_but_told():
    graph = graph_of([*statuses(), status("CHECKED", "SUCCEEDED", appliesTo=["STEP"])])
    assert graph.step_only == ("CHECKED",)
    assert "CHECKED" not in {node.code for node in graph.nodes}


def test_no_two_boxes_share_a_place():
    rows = [*statuses(), *(status(f"C{n}", allowedFrom=["PARSING", "*"]) for n in range(9))]
    places = [(box.x, box.y) for box in drawing_of(graph_of(rows), "en").boxes]
    assert len(set(places)) == len(places) == 12


def test_everything_lies_on_the_sheet():
    drawing = drawing_of(graph_of([*statuses(), status("BACK", allowedFrom=["PARSING", "DONE"])]), "en")
    assert all(0 < box.x < drawing.width - 168 and 0 < box.y < drawing.height - 50 for box in drawing.boxes)


def test_the_words_say_what_the_drawing_shows():
    said = {one["code"]: one for one in graph_context([*statuses(), status("ANY", allowedFrom=["*"])])["sentences"]}
    assert said["QUEUED"]["is_initial"]
    assert said["QUEUED"]["leads_to"] == ["PARSING"]
    assert said["DONE"]["is_terminal"]
    assert said["ANY"]["is_open"]


@pytest.mark.parametrize(
    ("token", "severity", "tone"),
    [("violet", "ERROR", "violet"), ("pink", "ERROR", "danger"), (None, "INFO", "info"), (None, None, "info")],
)
def test_a_token_that_is_not_known_looks_like_its_severity(token, severity, tone):
    assert tone_of(token, severity) == tone


def test_a_name_is_in_the_readers_language_or_the_next_best():
    names = {"zh-Hans": "解析", "en": "Parsing"}
    assert [name_in(tag, names, "X") for tag in ("zh-hans", "de")] == ["解析", "Parsing"]
    assert (name_in("de", {"fr": "Lire"}, "X"), name_in("de", {}, "X")) == ("Lire", "X")


TEXT = """{
  "type": "object",
  "properties": {
    "a,}": {"enum": [1,
      "x:{", {"b": 2}]}
  }
}"""


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("", 1),
        ("type", 2),
        ("properties", 3),
        ("properties.a,}", 4),
        ("properties.a,}.enum[1]", 5),
        ("properties.a,}.enum[2].b", 5),
        ("properties.gone.deeper", 3),
        ("gone", 1),
    ],
)
def test_a_member_is_found_on_its_line(path, line):
    assert line_of(TEXT, path) == line
