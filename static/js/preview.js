// Previewed pages are looked at, not used: shown at their whole height, out of the tab order.
"use strict";

for (const frame of document.querySelectorAll(".preview iframe")) {
  const settle = () => {
    const page = frame.contentDocument;
    if (!page || !page.body) return;
    frame.inert = true;
    frame.style.height = `${Math.max(320, page.documentElement.scrollHeight + 2)}px`;
  };
  frame.addEventListener("load", settle);
  if (frame.contentDocument && frame.contentDocument.readyState === "complete") settle();
}
