import { tabStore } from '../browser-store';

const ITEM = 'livejoin.key';

/** Remembers the key for this tab only, so that a reload does not ask again and a closed tab forgets. */
export const keyStore = {
  read: (): string | null => tabStore.read(ITEM),
  write: (key: string): void => {
    tabStore.write(ITEM, key);
  },
  forget: (): void => {
    tabStore.forget(ITEM);
  },
};

/** Takes the key from a fragment such as `#key=...` and removes it from the address bar and the history. */
export function takeKeyFromAddress(location: Location, history: History): string | null {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const key = fragment.get('key');
  if (key === null) return null;
  fragment.delete('key');
  const rest = fragment.size === 0 ? '' : `#${fragment.toString()}`;
  history.replaceState(history.state, '', `${location.pathname}${location.search}${rest}`);
  return key === '' ? null : key;
}
