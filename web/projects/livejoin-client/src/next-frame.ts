/** How often a page that nobody sees is brought up to date. */
const HIDDEN_MS = 1_000;

/** Runs at the next frame, or a second later while the page is hidden: browsers paint no frames of it then. */
export function nextFrame(run: () => void): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const once = (): void => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', waitIfHidden);
    run();
  };
  const waitIfHidden = (): void => {
    if (document.hidden) timer ??= setTimeout(once, HIDDEN_MS);
  };
  const frame = requestAnimationFrame(once);
  document.addEventListener('visibilitychange', waitIfHidden);
  waitIfHidden();
}
