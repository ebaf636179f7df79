import { FakeEnvironment } from 'livejoin-client/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { GenerationGate, type GatedView } from '../../src/view/generation-gate';

describe('GenerationGate', () => {
  let environment: FakeEnvironment;
  let gate: GenerationGate;

  beforeEach(() => {
    environment = new FakeEnvironment();
    gate = new GenerationGate(environment);
  });

  /** Names of the views that are held. Each is [shown, waiting]; no second element where no page waits. */
  function held(views: Record<string, readonly [number | null, (number | null)?]>): string[] {
    const named = Object.entries(views).map(([name, [shown, waiting]]): GatedView & { name: string } => ({
      name,
      shown,
      waiting,
    }));
    return [...gate.held(named)].map(({ name }) => name);
  }

  it('lets everything pass while all are of one generation', () => {
    expect(held({ users: [1, 1], final: [1], status: [1, 1] })).toEqual([]);
  });

  it('lets the first pages of a page that opens pass', () => {
    expect(held({ users: [null, 1], final: [null] })).toEqual([]);
    expect(held({ users: [1], final: [null, 1] })).toEqual([]);
  });

  it('holds pages of another generation until the last view has its own', () => {
    expect(held({ users: [1, 2], final: [1], status: [1] })).toEqual(['users']);
    expect(held({ users: [1, 2], final: [1], status: [1, 2] })).toEqual(['users', 'status']);
    expect(held({ users: [1, 2], final: [1, 2], status: [1, 2] })).toEqual([]);
  });

  it('holds them in the same way where the generation goes back', () => {
    expect(held({ users: [2, 1], final: [2] })).toEqual(['users']);
    expect(held({ users: [2, 1], final: [2, 1] })).toEqual([]);
  });

  it('lets pages of the generation that is on the screen pass meanwhile', () => {
    expect(held({ users: [1, 2], final: [1, 1] })).toEqual(['users']);
  });

  it('holds the first page of a view that opens in the middle of a change', () => {
    expect(held({ users: [1], final: [null, 2] })).toEqual(['final']);
  });

  it('does not wait for views without a generation, before and after', () => {
    expect(held({ users: [1, 2], accounts: [null], letters: [null, null] })).toEqual([]);
    expect(held({ users: [1, null], final: [1] })).toEqual([]);
  });

  it('gives up after three seconds, until all agree again', async () => {
    const torn = { users: [1, 2], final: [1] } as const;
    expect(held(torn)).toEqual(['users']);
    await environment.pass(2_999);
    expect(held(torn)).toEqual(['users']);
    await environment.pass(1);
    expect(held(torn)).toEqual([]);
    expect(held({ users: [2, 2], final: [1] })).toEqual([]);
    expect(held({ users: [2, 2], final: [1, 2] })).toEqual([]);
    expect(held({ users: [2, 3], final: [2] })).toEqual(['users']);
  });
});
