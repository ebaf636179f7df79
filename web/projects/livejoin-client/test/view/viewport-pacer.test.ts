import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { RowWindow } from '../../src/view/row-window';
import { ViewportPacer } from '../../src/view/viewport-pacer';
import { FakeEnvironment } from 'livejoin-client/testing';

describe('ViewportPacer', () => {
  let environment: FakeEnvironment;
  let sent: RowWindow[];
  const stalled = vi.fn();
  let pacer: ViewportPacer;

  beforeEach(() => {
    environment = new FakeEnvironment();
    sent = [];
    stalled.mockReset();
    pacer = new ViewportPacer(environment, 10_000, (window) => sent.push(window), stalled);
  });

  it('has one request in flight and then sends only the latest wish', () => {
    pacer.want({ first: 0, last: 9 });
    pacer.want({ first: 10, last: 19 });
    pacer.want({ first: 20, last: 29 });
    expect(sent).toEqual([{ first: 0, last: 9 }]);
    pacer.arrived({ first: 20, last: 29 });
    expect(sent).toEqual([
      { first: 0, last: 9 },
      { first: 20, last: 29 },
    ]);
  });

  it('takes further pages of the same place for what they are', () => {
    pacer.want({ first: 0, last: 9 });
    pacer.arrived({ first: 0, last: 9 });
    pacer.arrived({ first: 0, last: 9 });
    expect(sent).toHaveLength(1);
  });

  it('sends nothing for a window that is already shown', () => {
    pacer.want({ first: 0, last: 9 });
    pacer.arrived({ first: 0, last: 9 });
    pacer.want({ first: 0, last: 9 });
    expect(sent).toHaveLength(1);
  });

  it('says so when no answer comes', async () => {
    pacer.want({ first: 0, last: 9 });
    await environment.pass(10_000);
    expect(stalled).toHaveBeenCalledOnce();
  });

  it('waits for nothing after it was stopped', async () => {
    pacer.want({ first: 0, last: 9 });
    pacer.stop();
    await environment.pass(60_000);
    expect(stalled).not.toHaveBeenCalled();
    expect(environment.pendingTimers).toBe(0);
  });
});
