/**
 * Tell the server that a key of somebody who has signed in is to open nothing any more; one that was configured stays.
 * It goes on where the page is left meanwhile. Nobody waits for it: without it, the session ends when its time is over.
 */
export function endSession(key: string | null): void {
  if (key === null) return;
  const headers = { authorization: `Bearer ${key}` };
  fetch('sign-in/end', { method: 'POST', headers, cache: 'no-store', keepalive: true }).catch(
    () => undefined,
  );
}
