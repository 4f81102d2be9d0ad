"""The `overtrick` command.

In reading order: `main` (the commands and their options), `replay` (check records),
`account` (a record as readable text), `bench` (measure the engine), `serve` (the table in the browser).
"""
