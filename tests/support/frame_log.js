// Writes down what every painted frame shows: the generation, its topics, and the visible rows of each table. Frames
// that show the same as the one before are counted only. Who looks takes the log away with `takeFrames()`.
(() => {
  const tables = ['users_ui', 'accounts_ui', 'final_ui'];
  let log = [];
  let last = '';
  let painted = 0;

  // What a table server that was started again sends may be in another order.
  let connection = 0;
  window.WebSocket = class extends window.WebSocket {
    constructor(...given) {
      super(...given);
      connection += 1;
    }
  };

  const numberOf = (element, name) => Number(element?.getAttribute(name));

  const drawnOf = (table) => {
    const grid = document.querySelector(`[data-testid="grid-${table}"]`);
    const rows = new Map();
    for (const cell of grid?.querySelectorAll('[data-column]') ?? []) {
      const row = rows.get(cell.parentElement) ?? {};
      row[cell.dataset.column] = cell.textContent.trim();
      rows.set(cell.parentElement, row);
    }
    // The head is a row too, the first.
    const placed = [...rows].map(([element, row]) => ({ place: numberOf(element, 'aria-rowindex') - 2, row }));
    placed.sort((one, other) => one.place - other.place);
    return { placed, size: numberOf(grid?.querySelector('[role="grid"]'), 'aria-rowcount') - 1 };
  };

  const look = () => {
    painted += 1;
    const strip = document.querySelector('[data-testid="status-strip"]');
    const terms = [...(strip?.querySelectorAll('dt') ?? [])];
    const generation = terms.find((term) => term.textContent === 'Generation')?.nextElementSibling?.textContent.trim();
    const left = strip?.querySelector('.topic.left')?.textContent.trim();
    const drawn = tables.map((table) => [table, drawnOf(table)]);
    const of = (part) => Object.fromEntries(drawn.map(([table, one]) => [table, part(one)]));
    const shown = {
      generation,
      left,
      connection,
      tables: of(({ placed }) => placed.map(({ row }) => row)),
      places: of(({ placed }) => placed.map(({ place }) => place)),
      sizes: of(({ size }) => size),
    };
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
