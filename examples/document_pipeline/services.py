"""The three services: prepare a file, parse it, store its result. Each runs as a process of its own.

    python -m examples.document_pipeline.services prepare|parse|store

Who asked for work hears of its outcome at `replyTo`; the task status service hears from the worker itself.
"""

import argparse
import hashlib
import json
import logging
import os
import shutil
import signal
import threading
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from examples.document_pipeline import documents
from examples.document_pipeline.heartbeats import Pulse
from examples.document_pipeline.librarian import plan_catalogue, search_library
from examples.document_pipeline.reporter import Reporter, StepError, WorkCancelledError
from examples.document_pipeline.settings import Settings
from examples.document_pipeline.status_client import RefusedError, StatusClient
from examples.document_pipeline.work_server import Work, WorkServer, send_work

Outcome = dict[str, Any]
# One task in so many meets the index at a bad moment; its next attempt then goes through.
FLAKY_EVERY: Final = 7

log = logging.getLogger(__name__)


def prepare(work: Work, reporter: Reporter, settings: Settings) -> Outcome:
    """Copy the file into the workshop and say how large it is."""
    reporter.started()
    reporter.take_time(settings.seconds_per_page)
    source = Path(work["path"])
    target = settings.workshop / f"{work['context']['taskId']}{source.suffix.lower()}"
    shutil.copyfile(source, target)
    digest = hashlib.sha256(target.read_bytes()).hexdigest()
    reporter.completed("generic.result.v1", {"bytes": target.stat().st_size, "sha256": digest}, "PREPARED")
    return {"path": str(target), "sha256": digest}


def parse(work: Work, reporter: Reporter, settings: Settings) -> Outcome:
    """Read the file page by page; count words, tell the language."""
    reporter.started("PARSING")
    words, sample, page_count = 0, "", 0
    for page in documents.pages(Path(work["path"])):
        words += documents.count_words(page.text)
        sample = (sample + page.text)[: documents.CHARACTERS_PER_PAGE]
        page_count = page.total
        reporter.take_time(settings.seconds_per_page)
        reporter.progress(
            page.number,
            page.total,
            "page",
            phaseCode="READING",
            data={
                "schema": "document.parse.progress.v1",
                "value": {"currentPage": page.number, "totalPages": page.total},
            },
        )
    language = documents.language_of(sample)
    value = {"pageCount": page_count, "resultRef": f"result://{work['context']['taskId']}"}
    value |= {"language": language} if language else {}
    reporter.completed("document.parse.completed.v2", value, "PARSE_COMPLETED")
    return {"words": words, "pages": page_count, "language": language}


def store(work: Work, reporter: Reporter, settings: Settings) -> Outcome:
    """Write the result into the index."""
    reporter.started("PUBLISHING")
    reporter.take_time(settings.seconds_per_page)
    context = work["context"]
    if context["stepAttempt"] == 1 and zlib.crc32(context["taskId"].encode()) % FLAKY_EVERY == 0:
        raise StepError(
            "DEPENDENCY", "INDEX_UNAVAILABLE", "The index did not answer in time. We try again.", retryable=True
        )
    entry = {name: work[name] for name in ("title", "words", "pages", "language")}
    settings.index.mkdir(exist_ok=True)
    (settings.index / f"{context['taskId']}.json").write_text(json.dumps(entry), encoding="utf-8")
    reporter.completed("generic.result.v1", {"words": work["words"]}, "COMPLETED")
    return entry


ROLES: Final[dict[str, dict[str, Callable[[Work, Reporter, Settings], Outcome]]]] = {
    "prepare": {"FILE.PREPARE": prepare},
    "parse": {"DOCUMENT.PARSE": parse, "AGENT.RUN": plan_catalogue},
    "store": {"RESULT.PERSIST": store, "SEARCH.LIBRARY": search_library},
}


def handle(work: Work, role: str, settings: Settings, pulses: dict[str, Pulse]) -> None:
    """Do one piece of work, report it, and tell whoever asked how it ended; a fault of ours is an end as well."""
    context = work["context"]
    producer = context["producerId"]
    reporter = Reporter(StatusClient(settings.url, settings.tokens[producer]), context, pulses[producer])
    try:
        outcome = _work(work, role, reporter, settings)
    except RefusedError as refusal:
        # Somebody else has ended the task meanwhile, as an operator may.
        log.warning("%s: %s", context["executionId"], refusal)
        outcome = {"refused": refusal.code}
    finally:
        reporter.close()
    send_work(work["replyTo"], {"executionId": context["executionId"], "outcome": outcome})


def _work(work: Work, role: str, reporter: Reporter, settings: Settings) -> Outcome:
    context = work["context"]
    try:
        return ROLES[role][context["operationCode"]](work, reporter, settings)
    except WorkCancelledError as cancelled:
        reporter.cancelled()
        return cancelled.outcome
    except StepError as error:
        return _failed(error, reporter, context)
    except RefusedError:
        raise
    except Exception:
        log.exception("a fault while working on %s", context["taskId"])
        fault = StepError("SYSTEM", "WORKER_FAULT", "The worker ran into a fault of its own.", retryable=False)
        return _failed(fault, reporter, context)


def _failed(error: StepError, reporter: Reporter, context: dict[str, Any]) -> Outcome:
    reporter.failed(error, "PARSE_FAILED" if context["operationCode"] == "DOCUMENT.PARSE" else None)
    return {"failed": error.body}


def main() -> None:
    """Serve one role until SIGTERM."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("role", choices=sorted(ROLES))
    role = parser.parse_args().role
    logging.basicConfig(level=logging.INFO, format=f"{role}: %(message)s")
    settings = Settings.from_environment(os.environ)
    pulses = {producer: Pulse(StatusClient(settings.url, token)) for producer, token in settings.tokens.items()}
    server = WorkServer(settings.ports[role], lambda work: handle(work, role, settings, pulses))
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    for pulse in pulses.values():
        pulse.start()
    server.start()
    settings.announce(role)
    log.info("listening on 127.0.0.1:%d", settings.ports[role])
    stop.wait()
    # Work that is under way is lost with the process, as in a crash: its step waits for its next attempt.
    os._exit(0)


if __name__ == "__main__":
    main()
