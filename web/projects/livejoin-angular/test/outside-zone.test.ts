import type { NgZone } from '@angular/core';
import { FakeEnvironment } from 'livejoin-client/testing';
import { expect, it, vi } from 'vitest';
import { outsideZone } from '../src/outside-zone';

it('everything that runs later is set up outside the zone', () => {
  const runOutsideAngular = vi.fn((run: () => unknown) => run());
  const environment = new FakeEnvironment();
  const outside = outsideZone(environment, { runOutsideAngular } as unknown as NgZone);
  const id = outside.setTimer(() => undefined, 5);
  outside.requestFrame(() => undefined);
  outside.onNetwork(() => undefined);
  outside.openSocket('ws://host', { opened: vi.fn(), heard: vi.fn(), closed: vi.fn() });
  expect(runOutsideAngular).toHaveBeenCalledTimes(4);
  outside.clearTimer(id);
  outside.report('line');
  expect([environment.pendingTimers, environment.pendingFrames, environment.reports]).toEqual([
    0,
    1,
    ['line'],
  ]);
  expect([outside.now(), outside.random()]).toEqual([environment.now(), environment.random()]);
});
