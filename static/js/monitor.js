// Keeps the live part of the monitor fresh. Without this script the link "Reload" does it.
"use strict";

const live = document.getElementById("live");
const line = document.querySelector("[data-refresh-seconds]");
const note = line.querySelector("[data-refresh-note]");
const every = Number(line.dataset.refreshSeconds) * 1000;
const toggle = document.createElement("button");
let isPaused = false;

toggle.type = "button";
toggle.className = "button quiet";
toggle.textContent = "Stop refreshing";
toggle.addEventListener("click", () => {
  isPaused = !isPaused;
  toggle.textContent = isPaused ? "Refresh again" : "Stop refreshing";
  note.textContent = isPaused ? "to see what is new." : `by hand, or wait: every ${every / 1000} seconds.`;
});
line.append(" ", toggle);
note.textContent = `by hand, or wait: every ${every / 1000} seconds.`;

// Whoever is about to press a button or reads with the keyboard must not lose their place.
const isInUse = () => document.hidden || isPaused || live.contains(document.activeElement);

async function refresh() {
  if (isInUse()) return;
  const answer = await fetch(live.dataset.address, { credentials: "same-origin", redirect: "error" });
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  const text = await answer.text();
  if (isInUse()) return;
  const open = [...live.querySelectorAll("details")].map((details) => details.open);
  live.innerHTML = text;
  live.querySelectorAll("details").forEach((details, index) => {
    details.open = open[index] || false;
  });
}

async function tick() {
  try {
    await refresh();
    line.classList.remove("is-stale");
  } catch {
    note.textContent = "to see what is new: the server did not answer just now.";
    line.classList.add("is-stale");
  }
  setTimeout(tick, every);
}
setTimeout(tick, every);
