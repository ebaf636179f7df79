import { ApplicationRef, ErrorHandler, inject, NgZone } from '@angular/core';

/**
 * Draws what the deliveries of a frame have changed, in the same frame. Left to itself, Angular would draw after it,
 * and the rows would be painted one frame late. Call it in an injection context; call what it returns after them.
 */
export function injectDrawAtOnce(): () => void {
  const application = inject(ApplicationRef);
  const zone = inject(NgZone);
  const errors = inject(ErrorHandler);
  return () => {
    if (application.destroyed) return;
    try {
      if (!(zone instanceof NgZone)) application.tick();
      // With zone.js Angular checks everything on leaving the zone, so it is entered only where something waits.
      else if (isWaiting(application)) zone.run(() => undefined);
    } catch (error) {
      errors.handleError(error);
    }
  };
}

/** Whether Angular has something to do: what a signal has changed on the screen is among it, what nothing reads is not. */
function isWaiting(application: ApplicationRef): boolean {
  let isStable = true;
  application.isStable
    .subscribe((stable) => {
      isStable = stable;
    })
    .unsubscribe();
  return !isStable;
}
