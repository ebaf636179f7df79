import { DestroyRef, inject, signal, type Signal } from '@angular/core';
import type { Declaration } from 'livejoin-client';
import { LIVEJOIN_HUB } from './provide-livejoin';

/**
 * What the server joins, also when that changes; null before the login and after a logout. While the connection is away
 * it is what the server said last. Call it in an injection context.
 */
export function injectDeclaration(): Signal<Declaration | null> {
  const { declaration } = inject(LIVEJOIN_HUB);
  const told = signal(declaration.value);
  inject(DestroyRef).onDestroy(
    declaration.subscribe((next) => {
      told.set(next);
    }),
  );
  return told.asReadonly();
}
