/**
 * What is wrong with how the page lies on the screen, as sentences: what covers or cuts something else, what scrolls
 * sideways, and space that nobody uses.
 */
() => {
  const faults = [];
  const shown = (element) =>
    element.checkVisibility({
      visibilityProperty: true,
      opacityProperty: true,
    });
  const nameOf = (element) => {
    const id = element.dataset?.testid ?? element.getAttribute?.("role") ?? "";
    const text = (element.textContent ?? "")
      .trim()
      .replace(/\s+/g, " ")
      .slice(0, 40);
    return `${element.localName}${id === "" ? "" : `[${id}]`}${element.className ? `.${element.className}` : ""} "${text}"`;
  };

  // What lies above the rest, and is meant to.
  const LAYERS =
    "lj-popover, [data-testid=control-panel], [role=listbox], [data-testid=swap-bar]";
  const layerOf = (element) => element.closest(LAYERS);
  const mayCover = (cover, covered) => {
    const layer = layerOf(cover);
    if (layer !== null && layer !== layerOf(covered)) return true;
    // Rows go below the heads, and columns below those that are pinned.
    if (
      cover.closest(".head, .pinned") !== null &&
      covered.closest("[role=grid]") !== null
    )
      return true;
    // What takes the clicks of a styled field is not seen itself.
    if (getComputedStyle(cover).opacity === "0") return true;
    // The button of a head lies over the end of its name.
    return cover.closest(".menu, .edge") !== null;
  };

  /** What of a box can be seen: not cut by any element around it, nor by the window. */
  const seen = (box, element) => {
    let { left, top, right, bottom } = box;
    for (let at = element; at !== null; at = at.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(at);
      if (overflowX !== "visible" || overflowY !== "visible") {
        const of = at.getBoundingClientRect();
        left = Math.max(left, of.left + at.clientLeft);
        top = Math.max(top, of.top + at.clientTop);
        right = Math.min(right, of.left + at.clientLeft + at.clientWidth);
        bottom = Math.min(bottom, of.top + at.clientTop + at.clientHeight);
      }
      if (at.matches("lj-popover, [data-testid=control-panel]")) break;
    }
    return {
      left: Math.max(left, 0),
      top: Math.max(top, 0),
      right: Math.min(right, innerWidth),
      bottom: Math.min(bottom, innerHeight),
    };
  };

  /** Whether something around it cuts it, and does not scroll, so that nobody can reach the rest. */
  const isOutOfReach = (box, element) => {
    for (
      let at = element.parentElement;
      at !== null && !at.matches("lj-popover, dl");
      at = at.parentElement
    ) {
      const { overflowX } = getComputedStyle(at);
      if (overflowX === "auto" || overflowX === "scroll") return false;
      if (overflowX !== "hidden" && overflowX !== "clip") continue;
      const of = at.getBoundingClientRect();
      if (box.left < of.left - 1 || box.right > of.right + 1) return true;
      if (box.top < of.top - 1 || box.bottom > of.bottom + 1) return true;
    }
    return false;
  };

  const pieces = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const element = node.parentElement;
    if (node.data.trim() === "" || element === null || !shown(element))
      continue;
    if (
      element.closest(
        ".cdk-visually-hidden, lj-announcer, select, script, style",
      ) !== null
    )
      continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) {
      const part = seen(box, element);
      if (part.right - part.left > 2 && part.bottom - part.top > 4)
        pieces.push({ element, ...part });
    }
  }
  for (const element of document.querySelectorAll(
    "button, input, select, a, summary, [role=progressbar]",
  )) {
    if (!shown(element)) continue;
    const whole = element.getBoundingClientRect();
    const part = seen(whole, element.parentElement);
    if (part.right - part.left > 4 && part.bottom - part.top > 4)
      pieces.push({ element, ...part });
    if (isOutOfReach(whole, element))
      faults.push(`${nameOf(element)} is cut off`);
  }

  for (const { element, left, top, right, bottom } of pieces) {
    const at = document.elementFromPoint(
      (left + right) / 2,
      (top + bottom) / 2,
    );
    if (at === null || at.contains(element) || element.contains(at)) continue;
    if (!mayCover(at, element))
      faults.push(`${nameOf(at)} covers ${nameOf(element)}`);
  }

  const DEEP = 3;
  const texts = pieces.filter(
    ({ element }) => !element.matches("button, input, select, a, summary"),
  );
  for (const [place, one] of texts.entries()) {
    for (const other of texts.slice(place + 1)) {
      const wide =
        Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const high =
        Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
      if (wide < DEEP || high < DEEP || one.element === other.element) continue;
      if (
        mayCover(one.element, other.element) ||
        mayCover(other.element, one.element)
      )
        continue;
      faults.push(
        `${nameOf(one.element)} and ${nameOf(other.element)} lie over each other`,
      );
    }
  }

  // Words that are cut have dots, or are left out as a whole.
  for (const element of document.querySelectorAll("body *")) {
    if (
      !shown(element) ||
      element.closest("svg, .cdk-visually-hidden, lj-announcer") !== null
    )
      continue;
    const { overflowX, textOverflow, clipPath } = getComputedStyle(element);
    // For screen readers alone.
    if (clipPath === "inset(50%)") continue;
    const isCut = overflowX === "hidden" || overflowX === "clip";
    const hasOwnText = [...element.childNodes].some(
      (node) => node.nodeType === 3 && node.data.trim() !== "",
    );
    if (
      isCut &&
      hasOwnText &&
      textOverflow !== "ellipsis" &&
      element.scrollWidth > element.clientWidth + 1
    ) {
      faults.push(`${nameOf(element)} is cut off`);
    }
  }

  const scrollsSideways = (element) =>
    element.scrollWidth > element.clientWidth + 1;
  for (const selector of [
    "html",
    "body",
    "lj-app",
    "main",
    "[data-testid=control-panel] .body",
    "lj-popover",
  ]) {
    for (const element of document.querySelectorAll(selector)) {
      if (scrollsSideways(element))
        faults.push(`${nameOf(element)} scrolls sideways`);
    }
  }

  // Every table ends where the next thing begins, and its parts fill it.
  const rem = Number.parseFloat(
    getComputedStyle(document.documentElement).fontSize,
  );
  const main = document.querySelector("main.tables");
  if (main !== null) {
    const boxes = [
      ...main.querySelectorAll(
        "lj-table-panel:not(.coming), lj-table-bones.bones",
      ),
    ]
      .filter(shown)
      .map((panel) => panel.getBoundingClientRect());
    const around = main.getBoundingClientRect();
    const most = rem + 1;
    const gaps = {
      above: Math.min(...boxes.map(({ top }) => top)) - around.top,
      below: around.bottom - Math.max(...boxes.map(({ bottom }) => bottom)),
      left: Math.min(...boxes.map(({ left }) => left)) - around.left,
      right: around.right - Math.max(...boxes.map(({ right }) => right)),
      "below the page": innerHeight - around.bottom,
    };
    for (const [where, gap] of Object.entries(gaps)) {
      if (gap > most)
        faults.push(
          `${String(Math.round(gap))} pixels are empty at the tables: ${where}`,
        );
    }
    // No line across or down the tables meets more of the ground than the gaps between them.
    for (const [from, to, size, low, high] of [
      ["left", "right", around.width, "top", "bottom"],
      ["top", "bottom", around.height, "left", "right"],
    ]) {
      for (const share of [0.02, 0.25, 0.5, 0.75, 0.98]) {
        const start = around[low] + share * (around[high] - around[low]);
        const met = boxes.filter(
          (box) => box[low] <= start && box[high] >= start,
        );
        const covered = met.reduce((sum, box) => sum + box[to] - box[from], 0);
        const isGap = boxes.some(
          (box) =>
            Math.min(Math.abs(box[low] - start), Math.abs(box[high] - start)) <=
            most,
        );
        if (!isGap && size - covered > (met.length + 1) * most) {
          faults.push(
            `${String(Math.round(size - covered))} pixels are empty ${from} to ${to} at ${String(share)} of the tables`,
          );
        }
      }
    }
    for (const panel of main.querySelectorAll(".panel")) {
      if (!shown(panel)) continue;
      const parts = [...panel.children].filter(
        (part) =>
          shown(part) &&
          !part.matches(".empty, lj-popover, :has(> lj-popover)"),
      );
      const filled = parts.reduce(
        (sum, part) => sum + part.getBoundingClientRect().height,
        0,
      );
      const own = panel.getBoundingClientRect().height - 2;
      if (Math.abs(own - filled) > 2)
        faults.push(
          `${nameOf(panel)} has ${String(own)} pixels and its parts ${String(filled)}`,
        );
      const grid = panel.querySelector("[role=grid]");
      const heads = [...panel.querySelectorAll("[role=columnheader]")];
      if (grid !== null && heads.length > 0) {
        const reach =
          heads.at(-1).getBoundingClientRect().right -
          heads[0].getBoundingClientRect().left;
        if (reach + 2 < grid.clientWidth)
          faults.push(
            `the columns of ${nameOf(panel)} leave ${String(grid.clientWidth - reach)} pixels empty`,
          );
      }
    }
  }
  for (const line of document.querySelectorAll(
    "header, [data-testid=status-strip]",
  )) {
    for (const part of line.querySelectorAll("*")) {
      if (
        !shown(part) ||
        part.closest("[data-testid=swap-bar], svg, dl") !== null
      )
        continue;
      const { left, right } = part.getBoundingClientRect();
      if (left < -1 || right > innerWidth + 1)
        faults.push(`${nameOf(part)} reaches out of the window`);
    }
  }
  return [...new Set(faults)];
};
