// How long after its sending each event is painted, in milliseconds: asked for after every frame, for the rows that are
// on the screen. An event is known by its moment, in microseconds, which stands in the columns `age` and `balance`.
async ({ grid, seconds }) => {
  const table = document.querySelector(`[data-testid=${grid}] [role=grid]`);
  const heads = [...table.querySelectorAll('[role=columnheader]')];
  const places = heads.flatMap((head) => {
    const named = ['age', 'balance'].some((name) => head.textContent.toLowerCase().includes(name));
    return named ? [head.getAttribute('aria-colindex')] : [];
  });
  const whole = (text) => Number(text.split('.')[0].replace(/\D/g, '') || 0);
  const seen = new Map();
  const found = [];
  const look = (isFirst) => {
    const now = performance.timeOrigin + performance.now();
    for (const row of table.querySelectorAll('[role=row][aria-rowindex]')) {
      const cells = places.map((place) => row.querySelector(`[role=gridcell][aria-colindex="${place}"]`));
      if (cells.some((cell) => cell === null)) continue;
      const moment = Math.max(...cells.map((cell) => whole(cell.textContent)));
      const index = row.getAttribute('aria-rowindex');
      if (moment <= (seen.get(index) ?? 0)) continue;
      seen.set(index, moment);
      if (!isFirst) found.push([now, now - moment / 1000]);
    }
  };
  const painted = new MessageChannel();
  const end = performance.now() + seconds * 1000;
  look(true);
  await new Promise((done) => {
    // A message that is sent in an animation frame arrives after that frame was rendered.
    painted.port1.onmessage = () => {
      look(false);
      if (performance.now() < end) requestAnimationFrame(() => painted.port2.postMessage(0));
      else done();
    };
    requestAnimationFrame(() => painted.port2.postMessage(0));
  });
  return found;
};
