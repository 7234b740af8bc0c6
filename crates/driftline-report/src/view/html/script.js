"use strict";
(() => {
  const changes = [...document.querySelectorAll(".change")];
  const walk = document.getElementById("walk");
  if (!walk) return;
  const status = document.getElementById("at");
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  let at = -1;

  const isSeen = (change) => {
    const box = change.getBoundingClientRect();
    return box.bottom > 0 && box.top < innerHeight;
  };

  // From the change last visited or, if the reader has scrolled away from it, from the screen.
  const neighbour = (step) => {
    if (at >= 0 && isSeen(changes[at])) return at + step;
    const middle = innerHeight / 2;
    const above = changes.filter((change) => change.getBoundingClientRect().top < middle).length;
    return step > 0 ? above : above - 1;
  };

  const say = () => { status.textContent = `change ${at + 1} of ${changes.length}`; };

  const go = (step) => {
    at = (neighbour(step) + changes.length) % changes.length;
    const change = changes[at];
    change.focus({ preventScroll: true });
    const block = change.offsetHeight > innerHeight * 0.7 ? "start" : "center";
    change.scrollIntoView({ block, behavior: calm.matches ? "auto" : "smooth" });
    say();
  };

  const keys = { n: 1, j: 1, p: -1, k: -1 };
  addEventListener("keydown", (event) => {
    const step = keys[event.key];
    if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    go(step);
  });

  // A link led into a change.
  addEventListener("hashchange", () => {
    const target = document.getElementById(location.hash.slice(1));
    const found = target ? changes.indexOf(target.closest(".change")) : -1;
    if (found >= 0) { at = found; say(); }
  });

  document.getElementById("next").addEventListener("click", () => go(1));
  document.getElementById("previous").addEventListener("click", () => go(-1));
  walk.hidden = false;
})();
