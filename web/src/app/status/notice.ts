import type { ControlEntry } from '../control/control-entry';
import { keyOf } from '../control/control-entry';
import { sentence } from '../sentence';
import type { SwapState } from './swap-state';

/** What is worth a line beside the badge; where several are, what keeps rows from being fresh counts most. */
export interface Notice {
  readonly kind: 'trouble' | SwapState['kind'] | 'rejected';
  /** What a screen reader hears too: it changes with what happens, never with a number. */
  readonly title: string;
  readonly detail: string;
  /** From 0 to 1; null where there are no numbers. */
  readonly fraction: number | null;
  /** When the way back ends, in milliseconds since 1970; null where there is none. */
  readonly until: number | null;
  /** By what it is known as read; null of what goes by itself. */
  readonly readAs: string | null;
}

export interface NoticeScene {
  /** Why there is no connection; null while there is one. */
  readonly lost: string | null;
  /** Whether the table server has not said anything since the page has connected again. */
  readonly isStale: boolean;
  readonly hasRows: boolean;
  /** Why rows may stand still, as the server says it; empty where they do not. */
  readonly trouble: string;
  /** What is waited for while there is no generation; null while there is one. */
  readonly waitingFor: string | null;
  readonly swap: SwapState | null;
  readonly newestMessage: ControlEntry | null;
  readonly isRead: (key: string) => boolean;
}

/** How long a rejection is news. */
const NEWS_MS = 120_000;

const PLAIN = { fraction: null, until: null, readAs: null } as const;

export function noticeOf(scene: NoticeScene, now: number): Notice | null {
  const { lost, isStale, hasRows, trouble, waitingFor, swap } = scene;
  if (lost !== null) {
    const rows = hasRows ? 'The last rows stay; the' : 'The';
    return {
      ...PLAIN,
      kind: 'trouble',
      title: sentence(lost),
      detail: `${rows} page connects again by itself.`,
    };
  }
  if (isStale) {
    const title = 'The table server is loading its tables';
    return { ...PLAIN, kind: 'trouble', title, detail: 'The last rows stay until they are there.' };
  }
  if (trouble !== '') return { ...PLAIN, kind: 'trouble', title: sentence(trouble), detail: '' };
  if (swap !== null && (swap.readAs === null || !scene.isRead(swap.readAs))) return swap;
  if (waitingFor !== null) {
    return { ...PLAIN, kind: 'building', title: 'No topics are live yet', detail: sentence(waitingFor) };
  }
  return rejectionOf(scene, now);
}

/** Why the newest control message came to nothing, where nobody has read it at this page; it is told once. */
function rejectionOf({ newestMessage: newest, isRead }: NoticeScene, now: number): Notice | null {
  if (newest?.verdict !== 'rejected' || newest.when === null || now - newest.when > NEWS_MS) return null;
  const readAs = keyOf(newest);
  if (isRead(readAs)) return null;
  return {
    ...PLAIN,
    kind: 'rejected',
    title: 'A swap was rejected',
    detail: sentence(newest.reason),
    readAs,
  };
}
