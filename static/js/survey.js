"use strict";

/* What a page of the study tells about how it was answered, a countdown while a text is read, and
 * answers that survive a failed send. Every page works without it, the server trusts none of it,
 * and nothing here ever keeps answers from being sent. */
(() => {
  const ITEM = "item-";
  const UNSENT = "affectbench:unsent:";
  const KEPT_MS = 24 * 60 * 60 * 1000;
  const root = document.documentElement;
  const language = root.lang;
  const path = location.pathname;
  const form = document.querySelector("form[data-page]");

  /* Time in view */
  let shownAt = Date.now();
  let visibleMs = 0;
  let visibleSince = document.visibilityState === "visible" ? performance.now() : null;

  const stopWatch = () => {
    if (visibleSince !== null) visibleMs += performance.now() - visibleSince;
    visibleSince = null;
  };
  document.addEventListener("visibilitychange", () => {
    stopWatch();
    if (document.visibilityState === "visible") visibleSince = performance.now();
  });
  window.addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    /* Back from the browser's memory: what was before has been reported. */
    shownAt = Date.now();
    visibleMs = 0;
    visibleSince = performance.now();
  });

  /* Answers: when each was given first, and how often */
  const items = {};
  const noteAnswer = (name) => {
    if (!name || !name.startsWith(ITEM)) return;
    const key = name.slice(ITEM.length);
    items[key] = items[key] || [Date.now(), 0];
    items[key][1] += 1;
  };

  const isTranslated = () =>
    root.classList.contains("translated-ltr") ||
    root.classList.contains("translated-rtl") ||
    root.lang !== language ||
    document.querySelector("main font") !== null;

  const viewportClass = () =>
    root.clientWidth < 600 ? "small" : root.clientWidth < 1024 ? "medium" : "large";

  const layout = () => {
    if (!form.querySelector(`[name^="${ITEM}"]`)) return "";
    const row = form.querySelector(".choices.row");
    return row && getComputedStyle(row).gridAutoFlow.startsWith("column") ? "row" : "stacked";
  };

  const fillReport = () => {
    stopWatch();
    if (document.visibilityState === "visible") visibleSince = performance.now();
    form.elements.report.value = JSON.stringify({
      visible: Math.round(visibleMs),
      shown: shownAt,
      items,
      viewport: viewportClass(),
      layout: layout(),
      translated: isTranslated(),
    });
  };

  /* Answers that were not sent, kept in this browser under the page's own address */
  const readUnsent = (key) => {
    try {
      return JSON.parse(localStorage.getItem(key)) || {};
    } catch {
      return {};
    }
  };

  const keepUnsent = (isSent) => {
    const fields = [...new FormData(form)].filter(([name]) => name !== "report");
    try {
      localStorage.setItem(UNSENT + path, JSON.stringify({ at: Date.now(), isSent, fields }));
    } catch {
      /* Storage is full or forbidden; the page still sends. */
    }
  };

  const forgetSent = () => {
    const own = (path.match(/^\/s\/[^/]+\/p\/[^/]+\//) || [""])[0];
    let keys = [];
    try {
      keys = Object.keys(localStorage).filter((key) => key.startsWith(UNSENT));
    } catch {
      return;
    }
    for (const key of keys) {
      const entry = readUnsent(key);
      const page = key.slice(UNSENT.length);
      const isOld = !(Date.now() - entry.at < KEPT_MS);
      const isDone = own && page.startsWith(own) && page !== path && (entry.isSent || path === own);
      if (isOld || isDone) localStorage.removeItem(key);
    }
  };

  const restore = ([name, value]) => {
    const inputs = [...form.elements].filter((element) => element.name === name);
    for (const input of inputs) {
      if (input.type === "radio" || input.type === "checkbox") {
        /* What the server has is newer or the same. */
        const isAnswered = inputs.some((other) => other.checked);
        if (!isAnswered && input.value === value) input.checked = true;
      } else if (input.value === "") {
        input.value = value;
      }
    }
  };

  /* A situation holds its reader for a while */
  const startCountdown = (status) => {
    const end = Date.now() + Number(status.dataset.seconds) * 1000;
    const button = form.querySelector("button");
    const clock = document.createElement("span");
    clock.className = "countdown";
    clock.setAttribute("aria-hidden", "true");
    button.after(clock);
    button.setAttribute("aria-disabled", "true");
    /* Screen readers speak of what changes: once now, once at the end, and no seconds. */
    const sentence = status.textContent;
    status.textContent = "";
    setTimeout(() => { if (isHeld()) status.textContent = sentence; }, 200);

    const secondsLeft = () => Math.max(0, Math.ceil((end - Date.now()) / 1000));
    const isHeld = () => secondsLeft() > 0;
    const tick = () => {
      const left = secondsLeft();
      clock.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
      if (left) return;
      clearInterval(timer);
      clock.remove();
      button.removeAttribute("aria-disabled");
      status.textContent = status.dataset.ready;
    };
    const timer = setInterval(tick, 250);
    tick();
    return isHeld;
  };

  forgetSent();
  if (!form) return;
  const unsent = readUnsent(UNSENT + path).fields || [];
  unsent.forEach(restore);
  const status = document.getElementById("wait");
  const isHeld = status ? startCountdown(status) : () => false;

  form.addEventListener("change", (event) => {
    noteAnswer(event.target.name);
    keepUnsent(false);
  });
  form.addEventListener("submit", (event) => {
    if (isHeld()) {
      event.preventDefault();
      return;
    }
    fillReport();
    keepUnsent(true);
  });
})();
