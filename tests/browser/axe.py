"""What axe-core finds on a page."""

import json

from taskstatus.config.env import BASE_DIR

AXE = BASE_DIR / "sdk" / "js" / "node_modules" / "axe-core" / "axe.min.js"
# Colours on their way to others; what moves for ever is no such way.
MOVING = """() => document.getAnimations().some(one => one.playState === "running"
    && one.effect.getComputedTiming().endTime !== Infinity)"""
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


def findings(page):
    """What axe-core has to say about the page as it is; run from outside, for the page lets in no script."""
    while page.evaluate(MOVING):
        page.wait_for_timeout(50)
    session = page.context.new_cdp_session(page)
    told = "r.violations.map(v => [v.id, v.nodes.map(n => [n.html, n.failureSummary])])"
    run = f"axe.run({{runOnly: {json.dumps(RULES)}}}).then(r => JSON.stringify({told}))"
    session.send("Runtime.evaluate", {"expression": AXE.read_text(encoding="utf-8")})
    answer = session.send("Runtime.evaluate", {"expression": run, "awaitPromise": True})
    return json.loads(answer["result"]["value"])
