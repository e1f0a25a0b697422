"""Changing single definitions, one use case a file.

Each locks the scope, judges by the rules that a definitions file is judged by, writes the change with its history,
and renews the scope's stamp, all in one transaction. Contents are mappings as a definitions file spells a row
(camelCase), without `state`. Whatever is refused is a `DefinitionsRefusedError` with its problems; nothing was
changed then. `seen` is the digest (`digest_of`) of what the actor looked at: if that has changed, so has their mind
perhaps, and the change is refused as a `DefinitionConflictError`.
"""
