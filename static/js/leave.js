// Takes a participant who has just finished back to Prolific, after saying so and unless stopped.
"use strict";

(() => {
  const box = document.querySelector(".leaving");
  const link = document.getElementById("back-to-prolific");
  const [visit] = performance.getEntriesByType("navigation");
  // Somebody who comes back or reloads wants to see the page, not to be sent away again.
  if (!box || !link || (visit && visit.type !== "navigate")) return;

  const status = box.querySelector("[role=status]");
  const stop = box.querySelector("button");
  const timer = setTimeout(() => location.assign(link.href), Number(box.dataset.seconds) * 1000);

  status.textContent = box.dataset.going;
  stop.hidden = false;
  stop.addEventListener("click", () => {
    clearTimeout(timer);
    status.textContent = box.dataset.staying;
    link.focus();
    stop.hidden = true;
  });
  link.addEventListener("click", () => clearTimeout(timer));
  window.addEventListener("pagehide", () => clearTimeout(timer));
})();
