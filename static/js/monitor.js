// Keeps the live part of the monitor fresh. Without this script the link "Reload" does it.
"use strict";

const live = document.getElementById("live");
const line = document.querySelector("[data-refresh-seconds]");
const note = line.querySelector("[data-refresh-note]");
const atLeast = Number(line.dataset.refreshSeconds) * 1000;
// A large study takes the server a while to count; it is then asked less often.
const patience = 20;
let every = atLeast;
const toggle = document.createElement("button");
let isPaused = false;

toggle.type = "button";
toggle.className = "button quiet";
toggle.textContent = "Stop refreshing";
toggle.addEventListener("click", () => {
  isPaused = !isPaused;
  toggle.textContent = isPaused ? "Refresh again" : "Stop refreshing";
  explain();
});
line.append(" ", toggle);

function explain() {
  const wait = `by hand, or wait: every ${Math.round(every / 1000)} seconds.`;
  note.textContent = isPaused ? "to see what is new." : wait;
}
explain();

// Whoever is about to press a button or reads with the keyboard must not lose their place.
const isInUse = () => document.hidden || isPaused || live.contains(document.activeElement);

async function refresh() {
  if (isInUse()) return;
  const begun = performance.now();
  const answer = await fetch(live.dataset.address, { credentials: "same-origin", redirect: "error" });
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  const text = await answer.text();
  every = Math.max(atLeast, patience * (performance.now() - begun));
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
    explain();
  } catch {
    note.textContent = "to see what is new: the server did not answer just now.";
    line.classList.add("is-stale");
  }
  setTimeout(tick, every);
}
setTimeout(tick, every);
