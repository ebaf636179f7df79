import { InjectionToken } from '@angular/core';
import type { LivejoinTimings } from 'livejoin-angular';

export interface PageConfig {
  /** Address of the table server. */
  readonly url: string;
  readonly timings: LivejoinTimings;
  /** Whether the viewer's key is not enough to send control messages. */
  readonly controlNeedsOwnKey: boolean;
  /** Why there is nothing to connect to, in words for the person who looks at the page. */
  readonly problem: string | null;
}

export const PAGE_CONFIG = new InjectionToken<PageConfig>('what the page was told by its server');

/** The page is built once and learns at run time where its table server is. Never rejects. */
export async function loadPageConfig(): Promise<PageConfig> {
  try {
    const response = await fetch('config.json', { cache: 'no-store' });
    if (!response.ok) return unusable(`config.json could not be read (HTTP ${String(response.status)}).`);
    return pageConfig(await response.json());
  } catch {
    return unusable('config.json could not be read.');
  }
}

export function pageConfig(given: unknown): PageConfig {
  const { tableServer, updateIntervalMs, controlNeedsOwnKey } = (given ?? {}) as Record<string, unknown>;
  if (typeof tableServer !== 'string' || tableServer === '') {
    return unusable('config.json does not name a table server.');
  }
  const timings = typeof updateIntervalMs === 'number' ? { updateIntervalMs } : {};
  return { url: tableServer, timings, controlNeedsOwnKey: controlNeedsOwnKey === true, problem: null };
}

function unusable(problem: string): PageConfig {
  return { url: '', timings: {}, controlNeedsOwnKey: false, problem };
}
