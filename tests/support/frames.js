// Looks at every frame after it was painted. Each row's userId begins with the name of its pair of topics, as the
// users topic in the status strip does: a frame is right when every grid has rows, and all of them name the same pair.
(() => {
  const grids = ['users_ui', 'accounts_ui', 'final_ui'];
  const record = { frames: 0, changes: 0, wrong: [], counts: { empty: 0, mixed: 0, torn: 0 }, pair: null };
  const pairOf = (element) => element.textContent.trim().split('-')[0];
  const pairsIn = (grid) =>
    new Set([...document.querySelectorAll(`[data-testid="grid-${grid}"] [data-column="userId"]`)].map(pairOf));

  const judge = () => {
    record.frames += 1;
    const topic = document.querySelector('[data-testid="status-strip"] .topic.left');
    const seen = Object.fromEntries(grids.map((grid) => [grid, [...pairsIn(grid)]]));
    const pairs = new Set([...Object.values(seen).flat(), ...(topic ? [pairOf(topic)] : [])]);
    const complain = (kind) => {
      record.counts[kind] += 1;
      if (record.wrong.length < 20) {
        record.wrong.push({ kind, seen, status: topic && pairOf(topic), at: Math.round(performance.now()) });
      }
    };
    if (!topic || grids.some((grid) => seen[grid].length === 0)) complain('empty');
    else if (grids.some((grid) => seen[grid].length > 1)) complain('mixed');
    else if (pairs.size > 1) complain('torn');
    else if (record.pair !== [...pairs][0]) {
      record.pair = [...pairs][0];
      record.changes += 1;
    }
  };

  // A message that is posted in a frame's callback arrives after that frame was painted.
  const afterPaint = new MessageChannel();
  afterPaint.port1.onmessage = judge;
  const next = () => {
    afterPaint.port2.postMessage(null);
    requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
  window.frameRecord = record;
})();
