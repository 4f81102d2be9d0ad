/* The table's page, kept up to date. Without this script every form still works; with it
 *
 * - the server pushes the viewer's own <main id="table"> over a WebSocket, and answers forms with the same;
 * - each fragment is morphed in by htmx, newest first, never an older one over a newer one;
 * - cards that moved fly (View Transitions), unless the reader wants less motion;
 * - keyboard focus stays where it was, or goes to the card now at that place of the hand;
 * - a message half typed stays, and what was written and not yet seen is counted;
 * - a line that is lost, or has fallen silent, is said and mended. Nothing is ever sent twice by itself.
 */
"use strict";

(() => {
  const SLOWEST = 5000; // ms between two attempts to connect
  const PATIENCE = 1200; // ms without a line before the page says so
  const GONE_BACK = 8000; // ms that an older state than the page's is the latest heard of, after which the page believes it
  const SECOND = 700; // ms in which nobody sees that something else has come to where they are about to click
  const SPOT = 8; // px
  const NOT_SHOWN = 1008; // the code of a line to a table that may not be watched (any more)
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const offline = document.getElementById("offline");
  const unsent = document.getElementById("unsent");
  const table = () => document.getElementById("table");
  const seqOf = (element) => Number(element.dataset.seq);

  // What the reader opened stays open, whatever the fragment says.
  htmx.registerExtension("overtrick", {
    htmx_before_morph_attr: (element, detail) => !(element.tagName === "DETAILS" && detail.attrName === "open"),
  });

  /* Showing fragments, one at a time. */

  let waiting = null;
  let busy = false;
  let flight = null;

  const newestSeq = () => Math.max(seqOf(table()), waiting ? seqOf(waiting.fresh) : -1);

  /** Show a fragment unless it is older than what is shown, and return it; null if the text is none. */
  function show(text) {
    const fresh = new DOMParser().parseFromString(text, "text/html").getElementById("table");
    if (!fresh) return null;
    const newest = newestSeq();
    const refusal = fresh.querySelector(".alert");
    if (seqOf(fresh) < newest) {
      if (refusal) say(refusal.textContent.trim());
      return fresh;
    }
    if (seqOf(fresh) === newest && !refusal) return fresh;
    if (waiting?.refusal) say(waiting.refusal);
    waiting = { text, fresh, refusal: refusal?.textContent.trim() };
    flight?.skipTransition();
    if (!busy) drain();
    return fresh;
  }

  async function drain() {
    busy = true;
    try {
      while (waiting) {
        const { text, fresh } = waiting;
        waiting = null;
        await put(text, fresh);
      }
    } finally {
      busy = false;
    }
  }

  async function put(text, fresh) {
    const moved = movedCards(places(table()), places(fresh));
    const flies = moved.length && moved.length < 12 && !calm.matches && document.startViewTransition && !document.hidden;
    if (!flies) return morph(text);
    const before = places(table());
    moved.forEach((key, number) => name(before.get(key), number));
    flight = document.startViewTransition(() => {
      morph(text);
      const after = places(table());
      moved.forEach((key, number) => name(after.get(key), number));
    });
    flight.ready.catch(() => {});
    await flight.finished.catch(() => {});
    flight = null;
    places(table()).forEach((element) => name(element, null));
  }

  function morph(text) {
    const focus = focusNow();
    const aimed = aim();
    const [wasWaiting, wasOver] = [isWaiting(), isOver()];
    const done = htmx.swap({ text, target: table(), swap: "outerMorph", sourceElement: document.body });
    mendFocus(focus);
    noteSlip(aimed, aim());
    countUnread();
    dressTab();
    shownAt = performance.now();
    // A game begins where its page does, wherever in the waiting room the reader was, unless they are writing there.
    const writes = document.activeElement?.matches("input, textarea");
    if (wasWaiting && !isWaiting() && !writes) scrollTo({ top: 0, behavior: "instant" });
    if (isOver() && !wasOver) showResult();
    return done;
  }

  const isWaiting = () => table().classList.contains("waiting");
  const isOver = () => table().classList.contains("is-over");

  /** Bring the end of the game into sight, for a reader whose page stands where the hand was. */
  function showResult() {
    const result = document.querySelector(".result");
    const { top } = result.getBoundingClientRect();
    if (top < 0 || top > innerHeight / 2) result.scrollIntoView({ behavior: calm.matches ? "auto" : "smooth" });
  }

  /** What the tab says of the game, for a reader who looks at another one. */
  function dressTab() {
    const { title, icon } = table().dataset;
    document.title = title;
    const link = document.querySelector("link[rel=icon]");
    // A fresh element, for some browsers keep the icon of one whose address changes.
    if (link.getAttribute("href") !== icon) link.replaceWith(Object.assign(link.cloneNode(), { href: icon }));
  }

  /* Clocks: the server says what was left when it drew the page; the running one goes on from there. */

  let shownAt = performance.now();

  setInterval(() => {
    for (const face of document.querySelectorAll("[data-runs]")) {
      const left = Math.ceil(Math.max(0, face.dataset.left - (performance.now() - shownAt)) / 1000);
      if (left >= 86400) continue;
      const two = (n) => String(n).padStart(2, "0");
      const [hours, minutes, seconds] = [Math.floor(left / 3600), Math.floor(left / 60) % 60, left % 60];
      face.textContent = hours ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
    }
  }, 250);

  /* Cards that moved: the same `data-fly` at another `data-at`, or new on the table. */

  function places(root) {
    const found = new Map();
    for (const element of root.querySelectorAll("[data-fly]")) found.set(element.dataset.fly, element);
    return found;
  }

  function movedCards(before, after) {
    return [...after.keys()].filter((key) => {
      const at = after.get(key).dataset.at;
      return before.has(key) ? before.get(key).dataset.at !== at : at === "trick";
    });
  }

  function name(element, number) {
    if (!element) return;
    element.style.viewTransitionName = number === null ? "" : `moved-${number}`;
    element.style.viewTransitionClass = number === null ? "" : "moved";
    if (number === null && !element.getAttribute("style")) element.removeAttribute("style");
  }

  /* Keyboard focus. */

  const handButtons = () => [...document.querySelectorAll("#hand button")];

  function focusNow() {
    const element = document.activeElement;
    return table().contains(element) ? { element, place: handButtons().indexOf(element) } : null;
  }

  function mendFocus(focus) {
    if (!focus || document.activeElement === focus.element) return;
    const hand = handButtons();
    const next = focus.place >= 0 && hand.length ? hand[Math.min(focus.place, hand.length - 1)] : document.querySelector("#result-title, #turn.turn");
    (next ?? table()).focus({ preventScroll: true });
  }

  document.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const group = step && event.target.closest?.("button")?.closest("#hand, .choices, .spaces");
    if (!group || event.altKey || event.ctrlKey || event.metaKey) return;
    const buttons = [...group.querySelectorAll("button")];
    const next = buttons[buttons.indexOf(event.target.closest("button")) + step];
    if (next) next.focus();
    event.preventDefault();
  });

  /* Forms: htmx sends them; the answer goes the same way as what is pushed. */

  function say(sentence) {
    unsent.textContent = sentence;
    unsent.hidden = false;
  }

  // A second click on the same state of the table is dropped; one made after the table changed is not. Writing and
  // playing do not stand in each other's way.
  const sent = new Map();
  const actOf = (ctx) => (ctx.sourceElement.closest("#chat-form") ? "chat" : "table");

  document.addEventListener("htmx:config:request", (event) => {
    const { ctx } = event.detail;
    if (sent.get(actOf(ctx)) === seqOf(table())) return event.preventDefault();
    ctx.act = actOf(ctx);
    ctx.sentAt = seqOf(table());
    sent.set(ctx.act, ctx.sentAt);
    if (ctx.act === "chat") ctx.typed = document.getElementById("chat-text").value;
  });

  document.addEventListener("htmx:before:request", () => {
    unsent.hidden = true;
    table().setAttribute("aria-busy", "true");
  });

  document.addEventListener("htmx:after:request", (event) => {
    event.preventDefault();
    const { text, typed, response } = event.detail.ctx;
    const field = document.getElementById("chat-text");
    if (typed !== undefined && response.status < 400 && field?.value === typed) field.value = "";
    if (show(text)) return;
    const page = new DOMParser().parseFromString(text, "text/html");
    say(page.querySelector("[data-sentence]")?.textContent.trim() || unsent.dataset.text);
  });

  document.addEventListener("htmx:error", () => {
    say(unsent.dataset.text);
    drop(); // where no answer comes through, nothing else may
  });
  document.addEventListener("htmx:finally:request", (event) => {
    table().removeAttribute("aria-busy");
    const { act, sentAt } = event.detail.ctx;
    if (sent.get(act) === sentAt) sent.delete(act);
  });

  /* What was written: counted from the last message that was in sight. */

  const chatNow = () => document.getElementById("chat");
  const readKey = `read:${location.pathname}`;
  let inSight = false;
  let watched = null;

  const sight = new IntersectionObserver(([entry]) => {
    inSight = entry.isIntersecting;
    countUnread();
  }, { threshold: 0.5 });

  function remembered(value) {
    try {
      if (value !== undefined) localStorage.setItem(readKey, value);
      return localStorage.getItem(readKey);
    } catch {
      return null; // a browser that keeps nothing
    }
  }

  let read = Number(remembered() ?? chatNow()?.dataset.last ?? 0);

  function countUnread() {
    const chat = chatNow();
    if (chat !== watched) {
      sight.disconnect();
      inSight = false;
      watched = chat;
      if (chat) sight.observe(chat);
    }
    const mark = document.getElementById("unread");
    if (!chat) return;
    if (inSight && !document.hidden && Number(chat.dataset.last) !== read) remembered(read = Number(chat.dataset.last));
    if (!mark) return;
    const fresh = [...chat.querySelectorAll("[data-number]:not(.mine)")].filter((line) => Number(line.dataset.number) > read);
    mark.hidden = !fresh.length;
    mark.querySelector("b").textContent = fresh.length || "";
  }

  countUnread();

  /* A click that was not meant for what it hits: a second one on a spot where the page has meanwhile come to ask something
   * else, or one for a card that has just slipped away, as when somebody asks for a pause. */

  let lastClick = null;
  let slippedAt = -Infinity;

  /** Where the first button of a move is, and for which ply. */
  function aim() {
    const button = table().querySelector("button[name=move]:not([aria-disabled])");
    return button?.form && { ply: button.form.elements.ply.value, top: button.getBoundingClientRect().top };
  }

  function noteSlip(before, after) {
    if (before && after && before.ply === after.ply && Math.abs(before.top - after.top) > SPOT) slippedAt = performance.now();
  }

  function isMeant(click, before, isMove) {
    if (isMove && click.at - slippedAt < SECOND) return false;
    if (!before || before.asked === click.asked || click.at - before.at > SECOND) return true;
    return Math.hypot(click.x - before.x, click.y - before.y) > SPOT;
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("#table button");
    if (!button || !event.detail) return;
    const isMove = button.name === "move";
    const before = lastClick;
    const asked = isMove ? button.value.split(":")[0] : button.form?.action;
    lastClick = { x: event.clientX, y: event.clientY, at: performance.now(), asked };
    if (isMeant(lastClick, before, isMove)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }, true);

  /* The live line. */

  // The server says something every `beat`, be it nothing. A network may die without a word to either end; so a line on
  // which nothing came for twice and a half as long is dead, be it that the network has gone or that the machine slept.
  const beat = 1000 * table().dataset.heartbeat;
  let socket = null;
  let heardAt = 0; // of Date: other clocks stand still while a machine sleeps
  let pause = 0;
  let retry = 0;
  let warning = 0;
  let wentBack = 0;

  /** What a line says last is how things stand: the newest, unless the server has gone back to a copy of its tables. */
  function believe(fresh) {
    if (fresh && seqOf(fresh) < newestSeq()) {
      wentBack ||= setTimeout(() => location.reload(), GONE_BACK);
    } else {
      clearTimeout(wentBack);
      wentBack = 0;
    }
  }

  function connect() {
    clearTimeout(retry);
    const address = new URL(table().dataset.live, location.href);
    address.protocol = address.protocol.replace("http", "ws");
    const line = new WebSocket(address);
    socket = line;
    heardAt = Date.now();
    line.onmessage = ({ data }) => {
      if (line !== socket) return;
      heardAt = Date.now();
      pause = 0;
      clearTimeout(warning);
      warning = 0;
      offline.hidden = true;
      if (data) believe(show(data));
    };
    line.onclose = ({ code }) => {
      if (line !== socket) return;
      // Not to be watched any more, or logged in or out: what stands here may be somebody else's.
      if (code === NOT_SHOWN || code === 4401) location.reload();
      else later();
    };
  }

  function later() {
    socket = null;
    warning ||= setTimeout(() => { offline.hidden = false; }, PATIENCE);
    pause = Math.min(SLOWEST, Math.max(250, pause * 2));
    clearTimeout(retry);
    retry = setTimeout(connect, pause * (0.5 + Math.random() / 2));
  }

  /** Give a line up that may be dead, and try another. */
  function drop() {
    if (!socket) return;
    hangUp();
    later();
  }

  function hangUp() {
    const line = socket;
    socket = null;
    clearTimeout(retry);
    line?.close();
  }

  window.addEventListener("pagehide", hangUp);
  window.addEventListener("pageshow", (event) => { if (event.persisted) connect(); });
  window.addEventListener("online", () => {
    hangUp();
    connect();
  });
  window.addEventListener("offline", () => {
    drop();
    offline.hidden = false;
  });

  /** Give up a line that has been silent for too long, or that does not come about. */
  function listen() {
    const silent = Date.now() - heardAt;
    if (silent > (socket?.readyState === WebSocket.CONNECTING ? beat : 2.5 * beat)) drop();
  }

  setInterval(listen, beat / 3);
  document.addEventListener("visibilitychange", () => {
    countUnread();
    if (document.hidden) return;
    if (socket) listen();
    else connect();
  });
  connect();
})();
