"""Tasks that do not move, in the admin: a list of those that need a look, why each stands still, and what helps.

`view_task` is the right to look; each deed has one of its own (acceptance S13, O06), is asked about first, and is kept
in the audit. An account reaches its tenant's tasks alone, as in `taskstatus.admin.tasks`, whose pages these are among.
"""

from taskstatus.admin.worklist.confirm import deed_pages
from taskstatus.admin.worklist.list import work_list_page
from taskstatus.admin.worklist.why import why_page

PAGES = {"why/": ("why", why_page), **deed_pages()}
"""The pages about one task: the end of the address, its name, the view."""

__all__ = ["PAGES", "work_list_page"]
