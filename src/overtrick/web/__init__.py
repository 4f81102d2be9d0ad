"""The web server: tables in the browser, and the same by JSON.

In reading order:

- the server: `app` (all of it put together), `routes` (every address), `settings`, `server` (running it),
  `listening` and `lines` (its connections), `workers` (several processes) and `neighbours` (each with its own
  tables), `prepare` (the engine gets ready while the server answers), `closing` (ending what is under way),
  `services` (what handlers need)
- every request: `visitor` (who asks), `bounds` (how large it may be), `security` (headers, hosts, form
  tokens), `rates` and `limits` (how often), `shortcut` (of a move), `logs`, `metrics` (what is counted),
  `problems` and `answers` (what went wrong, and pages as answers)
- pages: `forms` (fields as commands), `lobby`, `games`, `me` and `accounts`, `table`, `links` (a seat on
  another device), `live` (a page's WebSocket), `static_files`
- programs: `api`, `api_parts`, `api_acts`, `api_talk`, `api_me`, `stream` (server-sent events), `wishes` and
  `shapes` (what is sent and what is answered), `described` and `examples` (its description)
- what people read: `i18n` (languages), `contexts` (what a page is made from), `pages`, `present` (views as
  scenes), `render` (scenes as HTML)

It only ever sees a `TableView`: what one viewer may know.
"""
