// @vitest-environment happy-dom
import { FakeApplication } from './angular';
import { TestBed } from '@angular/core/testing';
import { afterEach, expect, it, vi } from 'vitest';
import { AgeClock } from '../src/age-clock';

afterEach(() => {
  vi.useRealTimers();
});

it('the clock steps once a second, and ends with the application', () => {
  vi.useFakeTimers();
  const application = new FakeApplication();
  const clock = TestBed.inject(AgeClock);
  const began = clock.now();
  vi.advanceTimersByTime(999);
  expect(clock.now()).toBe(began);
  vi.advanceTimersByTime(1);
  expect(clock.now()).toBe(began + 1_000);
  application.destroy();
  expect(vi.getTimerCount()).toBe(0);
});
