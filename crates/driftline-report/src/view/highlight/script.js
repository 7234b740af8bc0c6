"use strict";
(() => {
  const items = [...document.querySelectorAll("li[data-region]")];
  const frames = [...document.querySelectorAll("iframe")];
  const walk = document.getElementById("walk");
  const status = document.getElementById("at");
  const MOST_LABELS = 500;
  let at = -1;

  // Names on a page (`<form name=body>`, `<input id=closest>`) hide what its document and its forms
  // have, so that nothing of a page is asked by name: the prototypes of this page are.
  const method = (kind, name) => (of, ...given) => kind.prototype[name].apply(of, given);
  const getter = (kind, name) => (of) => Object.getOwnPropertyDescriptor(kind.prototype, name).get.call(of);
  const one = method(Document, "querySelector");
  const all = method(Document, "querySelectorAll");
  const bodyOf = getter(Document, "body");
  const rootOf = getter(Document, "documentElement");
  const rects = method(Element, "getClientRects");
  const rect = method(Element, "getBoundingClientRect");
  const closest = method(Element, "closest");
  const attribute = method(Element, "getAttribute");
  const setAttribute = method(Element, "setAttribute");
  const scrollTo = method(Element, "scrollIntoView");
  const listen = method(EventTarget, "addEventListener");

  const find = (frame, number) => frame.contentDocument && one(frame.contentDocument, `[data-driftline~="${number}"]`);
  const isSeen = (element) => [...rects(element)].some((box) => box.width > 0 && box.height > 0);

  const make = (frame, name) => method(Document, "createElement")(frame.contentDocument, name);
  const boxOf = (frame, element) => {
    const box = rect(element);
    const { scrollX, scrollY } = frame.contentWindow;
    return { left: box.left + scrollX, top: box.top + scrollY, width: box.width, height: box.height };
  };

  const layerOf = (frame) => {
    const root = rootOf(frame.contentDocument);
    let layer = root.querySelector("driftline-layer");
    if (!layer) {
      layer = make(frame, "driftline-layer");
      layer.setAttribute("aria-hidden", "true");
      root.append(layer);
    }
    return layer;
  };

  // A number and a kind at the corner of each region; the layer stands above everything.
  const label = (frame) => {
    if (!frame.contentDocument || !bodyOf(frame.contentDocument)) return;
    const layer = layerOf(frame);
    layer.replaceChildren();
    const regions = [...all(frame.contentDocument, "[data-driftline]")].slice(0, MOST_LABELS);
    const boxes = regions.filter(isSeen).map((region) => [region, boxOf(frame, region)]);
    const marks = [];
    for (const [region, box] of boxes) {
      const mark = make(frame, "driftline-label");
      const kind = attribute(region, "data-driftline-kind");
      mark.textContent = `${attribute(region, "data-driftline")} ${kind}`;
      mark.dataset.kind = kind;
      mark.style.top = `${Math.max(0, box.top - 8)}px`;
      layer.append(mark);
      marks.push([mark, box]);
    }
    // At the right corner, where lines of text seldom reach.
    const edge = rootOf(frame.contentDocument).clientWidth;
    const widths = marks.map(([mark]) => mark.offsetWidth);
    marks.forEach(([mark, box], index) => {
      const right = Math.min(box.left + box.width, edge) - widths[index];
      mark.style.left = `${Math.max(0, right)}px`;
    });
  };

  const ring = (frame, element) => {
    const layer = layerOf(frame);
    layer.querySelectorAll("driftline-ring").forEach((old) => old.remove());
    if (!element || !isSeen(element)) return;
    const box = boxOf(frame, element);
    const mark = make(frame, "driftline-ring");
    Object.assign(mark.style, { left: `${box.left - 4}px`, top: `${box.top - 4}px`, width: `${box.width + 8}px`, height: `${box.height + 8}px` });
    layer.append(mark);
  };

  // A region without a box is shown by what is around it.
  const visible = (element) => {
    while (element && !isSeen(element)) {
      const closed = closest(element, "details:not([open])");
      if (closed) closed.open = true;
      if (isSeen(element)) break;
      element = getter(Node, "parentElement")(element);
    }
    return element;
  };

  const show = (frame, number) => {
    if (!frame.contentDocument) return;
    const element = find(frame, number);
    const target = element && visible(element);
    if (target) {
      const block = rect(target).height > frame.clientHeight * 0.7 ? "start" : "center";
      // At once: two frames that glide stop each other.
      scrollTo(target, { block, inline: "nearest", behavior: "instant" });
    }
    ring(frame, element);
  };

  // A version that is not shown cannot show the region.
  const unfold = (number) => {
    const isShown = frames.some((frame) => frame.offsetParent && find(frame, number));
    if (!isShown) document.getElementById("view-both").checked = true;
  };

  const go = (index) => {
    if (!items.length) return;
    at = (index + items.length) % items.length;
    const item = items[at];
    items.forEach((other) => other.querySelector(".go").removeAttribute("aria-current"));
    const link = item.querySelector(".go");
    link.setAttribute("aria-current", "true");
    link.focus({ preventScroll: true });
    link.scrollIntoView({ block: "nearest" });
    unfold(item.dataset.region);
    frames.forEach((frame) => show(frame, item.dataset.region));
    status.textContent = `${at + 1} of ${items.length}`;
  };

  const tellHidden = () => items.forEach((item) => {
    const isThere = (frame, element) => element && (!frame.offsetParent || isSeen(element));
    const isHidden = !frames.some((frame) => isThere(frame, find(frame, item.dataset.region)));
    item.querySelector(".hidden-note").hidden = !isHidden;
  });

  const keys = { n: 1, j: 1, p: -1, k: -1 };
  const press = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isInList = event.currentTarget === window && event.target.closest && event.target.closest("ol.regions");
    const step = keys[event.key] || (isInList && { ArrowDown: 1, ArrowUp: -1 }[event.key]);
    if (!step) return;
    event.preventDefault();
    go(at < 0 && step < 0 ? items.length - 1 : at + step);
  };

  // A step shows both places.
  document.querySelectorAll("li.changed .from").forEach((link) => link.remove());
  items.forEach((item, index) => item.addEventListener("click", (event) => {
    if (!event.target.closest("a")) return;
    event.preventDefault();
    if (event.target.closest(".from")) document.getElementById("view-both").checked = true;
    go(index);
  }));
  addEventListener("keydown", press);

  // Many pages are invisible until their script has run; here it never does.
  const reveal = (frame) => {
    const body = bodyOf(frame.contentDocument);
    const styleOf = (element) => frame.contentWindow.getComputedStyle(element);
    const restyle = (element, rules) => setAttribute(element, "style", `${attribute(element, "style") || ""};${rules}`);
    if (styleOf(body).display === "none") restyle(body, "display:block!important");
    for (const element of body.querySelectorAll(":scope > *, :scope > * > *, :scope > * > * > *")) {
      const style = styleOf(element);
      const isPlaced = style.position === "fixed" || style.position === "absolute";
      const isUnseen = style.opacity === "0" || style.visibility === "hidden";
      if (!isUnseen || isPlaced || getter(Node, "textContent")(element).trim().length < 40) continue;
      restyle(element, "opacity:1!important;visibility:visible!important");
    }
  };

  const ready = (frame) => {
    if (!frame.contentDocument || !bodyOf(frame.contentDocument)) return;
    reveal(frame);
    listen(frame.contentDocument, "keydown", press);
    label(frame);
    tellHidden();
  };
  const again = () => { frames.forEach(label); if (at >= 0) frames.forEach((frame) => ring(frame, find(frame, items[at].dataset.region))); };
  frames.forEach((frame) => {
    frame.addEventListener("load", () => ready(frame));
    if (frame.contentDocument && getter(Document, "readyState")(frame.contentDocument) === "complete") ready(frame);
  });
  document.querySelectorAll("input[name=view]").forEach((input) => input.addEventListener("change", again));
  let waiting = 0;
  addEventListener("resize", () => { clearTimeout(waiting); waiting = setTimeout(again, 150); });

  if (walk) {
    document.getElementById("next").addEventListener("click", () => go(at + 1));
    document.getElementById("previous").addEventListener("click", () => go(at < 0 ? items.length - 1 : at - 1));
    walk.hidden = false;
    status.textContent = `${items.length} to see`;
    const wanted = /^#region-(\d+)$/.exec(location.hash);
    if (wanted) addEventListener("load", () => go(Number(wanted[1]) - 1));
  }
})();
