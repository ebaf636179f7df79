import { describe, expect, it, vi } from 'vitest';
import { FrameBatch } from '../../src/view/frame-batch';
import { FakeEnvironment } from 'livejoin-client/testing';

describe('FrameBatch', () => {
  it('delivers once per frame, however many updates came before it', () => {
    const environment = new FakeEnvironment();
    const batch = new FrameBatch(environment);
    const deliver = vi.fn();
    batch.add(deliver);
    batch.add(deliver);
    batch.add(vi.fn());
    expect(environment.pendingFrames).toBe(1);
    environment.paint();
    expect(deliver).toHaveBeenCalledOnce();
  });

  it('asks for another frame after the first', () => {
    const environment = new FakeEnvironment();
    const batch = new FrameBatch(environment);
    const deliver = vi.fn();
    batch.add(deliver);
    environment.paint();
    batch.add(deliver);
    environment.paint();
    expect(deliver).toHaveBeenCalledTimes(2);
  });

  it('makes the other deliveries of a frame in which one throws', () => {
    const reported = vi.fn();
    vi.stubGlobal('reportError', reported);
    const environment = new FakeEnvironment();
    const batch = new FrameBatch(environment);
    const second = vi.fn();
    batch.add(() => {
      throw new Error('a mistake');
    });
    batch.add(second);
    environment.paint();
    vi.unstubAllGlobals();
    expect(second).toHaveBeenCalledOnce();
    expect(reported).toHaveBeenCalledOnce();
  });

  it('delivers nothing that was removed', () => {
    const environment = new FakeEnvironment();
    const batch = new FrameBatch(environment);
    const deliver = vi.fn();
    batch.add(deliver);
    batch.remove(deliver);
    environment.paint();
    expect(deliver).not.toHaveBeenCalled();
  });

  it('begins a frame before its first delivery', () => {
    const environment = new FakeEnvironment();
    const order: string[] = [];
    const batch = new FrameBatch(environment, () => order.push('begin'));
    batch.add(() => order.push('deliver'));
    environment.paint();
    expect(order).toEqual(['begin', 'deliver']);
  });
});
