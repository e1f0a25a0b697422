"""The forms in which people write drafts: what they fill in becomes a content as a definitions file spells it."""
