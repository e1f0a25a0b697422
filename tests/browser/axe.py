"""What axe-core finds on a page."""

import json

from taskstatus.config.env import BASE_DIR

AXE = BASE_DIR / "sdk" / "js" / "node_modules" / "axe-core" / "axe.min.js"
# Colours on their way to others; what moves for ever is no such way.
MOVING = """() => document.getAnimations().some(one => one.playState === "running"
    && one.effect.getComputedTiming().endTime !== Infinity)"""
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


def findings(page, *, preload=True):
    """What axe-core has to say about the page as it is; run from outside, for the page lets in no script.

    It reads style sheets beforehand, for the rule on turned screens, and writes what one of them imports into the
    page. Where that is against the page's policy, it does without.
    """
    while page.evaluate(MOVING):
        page.wait_for_timeout(50)
    session = page.context.new_cdp_session(page)
    told = "r.violations.map(v => [v.id, v.nodes.map(n => [n.html, n.failureSummary])])"
    options = json.dumps({"runOnly": RULES, "preload": preload})
    run = f"axe.run({options}).then(r => JSON.stringify({told}))"
    session.send("Runtime.evaluate", {"expression": AXE.read_text(encoding="utf-8")})
    answer = session.send("Runtime.evaluate", {"expression": run, "awaitPromise": True})
    return json.loads(answer["result"]["value"])
