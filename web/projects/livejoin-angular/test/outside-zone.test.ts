import type { NgZone } from '@angular/core';
import { FakeEnvironment } from 'livejoin-client/testing';
import { expect, it, vi } from 'vitest';
import { outsideZone } from '../src/outside-zone';

it('everything that runs later is set up outside the zone', () => {
  const runOutsideAngular = vi.fn((run: () => unknown) => run());
  const drawn: string[] = [];
  const environment = new FakeEnvironment();
  const outside = outsideZone(environment, { runOutsideAngular } as unknown as NgZone, () =>
    drawn.push('drawn'),
  );
  const id = outside.setTimer(() => undefined, 5);
  outside.requestFrame(() => drawn.push('delivered'));
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
  environment.paint();
  expect(drawn).toEqual(['delivered', 'drawn']);
  expect([outside.now(), outside.random()]).toEqual([environment.now(), environment.random()]);
});
