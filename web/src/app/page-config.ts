import { InjectionToken } from '@angular/core';

export interface PageConfig {
  /** Whether the viewer's key is not enough to send control messages. */
  readonly controlNeedsOwnKey: boolean;
  /** Why there is nothing to connect to, in words for the person who looks at the page. */
  readonly problem: string | null;
}

export const PAGE_CONFIG = new InjectionToken<PageConfig>('what the page was told by its server');

/** The page is built once and learns at run time how its server is set up. Never rejects. */
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
  const { controlNeedsOwnKey } = (given ?? {}) as Record<string, unknown>;
  if (typeof controlNeedsOwnKey !== 'boolean') {
    return unusable('config.json does not say whether control messages need a key of their own.');
  }
  return { controlNeedsOwnKey, problem: null };
}

/** Where livejoin is: where the page is from, also below a path of a proxy. Without a slash at its end. */
export function ownAddress(baseUri: string): string {
  return baseUri.replace(/\/+$/, '');
}

function unusable(problem: string): PageConfig {
  return { controlNeedsOwnKey: false, problem };
}
