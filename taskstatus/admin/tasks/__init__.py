"""Tasks in the admin: a list to look through, a page for each task, and corrections.

Nothing here edits a row: a correction is a use case (`taskstatus.services.correct_task`). An account reaches its
tenant's tasks alone, by the right `view_task`; correcting takes `correct_task` as well (acceptance S13).
Whoever has another page about one task adds it to `links.LINKS`.
"""

from taskstatus.admin.tasks.browser import TaskAdmin

__all__ = ["TaskAdmin"]
