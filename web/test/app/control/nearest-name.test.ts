import { describe, expect, it } from 'vitest';
import { nearestName } from '../../../src/app/control/nearest-name';

const TOPICS = ['accounts', 'crm.users', 'users', 'users-v2'];

describe('the topic that was meant', () => {
  it.each([
    ['usrs', 'users'],
    ['Users', 'users'],
    ['users-v3', 'users-v2'],
    ['crm-users', 'crm.users'],
    ['orders', null],
    ['nowhere-accounts', null],
    ['', null],
  ])('of %j is %j', (typed, meant) => {
    expect(nearestName(typed, TOPICS)).toBe(meant);
  });
});
