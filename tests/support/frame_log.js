// Writes down what every painted frame shows: the generation, its topics, and the visible rows of each table. Frames
// that show the same as the one before are counted only. Who looks takes the log away with `takeFrames()`.
(() => {
  const tables = ['users_ui', 'accounts_ui', 'final_ui'];
  let log = [];
  let last = '';
  let painted = 0;

  const rowsOf = (table) => {
    const rows = new Map();
    for (const cell of document.querySelectorAll(`[data-testid="grid-${table}"] [data-column]`)) {
      const row = rows.get(cell.parentElement) ?? {};
      row[cell.dataset.column] = cell.textContent.trim();
      rows.set(cell.parentElement, row);
    }
    return [...rows.values()];
  };

  const look = () => {
    painted += 1;
    const strip = document.querySelector('[data-testid="status-strip"]');
    const terms = [...(strip?.querySelectorAll('dt') ?? [])];
    const generation = terms.find((term) => term.textContent === 'Generation')?.nextElementSibling?.textContent.trim();
    const left = strip?.querySelector('.topic.left')?.textContent.trim();
    const shown = { generation, left, tables: Object.fromEntries(tables.map((table) => [table, rowsOf(table)])) };
    const text = JSON.stringify(shown);
    if (text !== last) log.push(shown);
    last = text;
  };

  // A message that is posted in a frame's callback arrives after that frame was painted.
  const afterPaint = new MessageChannel();
  afterPaint.port1.onmessage = look;
  const next = () => {
    afterPaint.port2.postMessage(null);
    requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
  window.takeFrames = () => {
    const taken = { painted, frames: log };
    log = [];
    return taken;
  };
})();
