"""The web server: tables in the browser, and the same by JSON.

In reading order: `app` (all of it put together), `routes` (every address), `settings`, `server` (running it),
`prepare` (the engine gets ready while the server answers), `services` (what handlers need), `visitor` (who asks),
`bounds` (how large a request may be), `security` (headers, hosts, form tokens), `limits` (how often), `metrics` (what is
counted), `problems` and `answers` (what went wrong, and pages as answers), `forms` (fields as commands), `lobby`, `games`,
`me` (accounts), `table`, `links` (a seat on another device), `live` (a page's WebSocket), `static_files`; for programs `api`,
`api_me`, `stream` (server-sent events), `shapes`, `shapes_me` and `wishes` (what is answered and what is sent),
`described` and `examples` (its description); for people `i18n` (languages), `contexts` (what a page is made from),
`pages`, `present` (views as scenes) and `render` (scenes as HTML).

It only ever sees a `TableView`: what one viewer may know.
"""
