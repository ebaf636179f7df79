import { DestroyRef, inject } from '@angular/core';

/** A person who is still typing has not asked yet. */
const TYPING_MS = 250;

/** For fields that act while somebody types: a moment after the last key, or at once when the field is left. */
export function injectTyping(): (event: Event, act: () => void) => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  inject(DestroyRef).onDestroy(() => {
    clearTimeout(timer);
  });
  return ({ type }, act) => {
    clearTimeout(timer);
    if (type === 'input') timer = setTimeout(act, TYPING_MS);
    else act();
  };
}
