import type { NgZone } from '@angular/core';
import type { Environment } from 'livejoin-client';

/**
 * The same surroundings, where nothing that happens makes zone.js check the whole application: signals tell by
 * themselves what has to be drawn. Without zone.js it changes nothing. What a frame has changed is drawn at its end, by
 * `draw`.
 */
export function outsideZone(environment: Environment, zone: NgZone, draw: () => void): Environment {
  return {
    now: () => environment.now(),
    random: () => environment.random(),
    setTimer: (run, delayMs) => zone.runOutsideAngular(() => environment.setTimer(run, delayMs)),
    clearTimer: (id) => {
      environment.clearTimer(id);
    },
    requestFrame: (run) => {
      zone.runOutsideAngular(() => {
        environment.requestFrame(() => {
          run();
          draw();
        });
      });
    },
    openSocket: (url, listener) => zone.runOutsideAngular(() => environment.openSocket(url, listener)),
    onNetwork: (listener) => zone.runOutsideAngular(() => environment.onNetwork(listener)),
    report: (line) => {
      environment.report(line);
    },
  };
}
