import { DECLARATION } from 'livejoin-angular/testing';
import { describe, expect, it } from 'vitest';
import { messageOf, swapPlan } from '../../../src/app/control/swap-plan';

const LIVE = { left: 'users', right: 'accounts', joinType: 'left' };
const SCENE = {
  live: LIVE,
  building: null,
  topics: ['accounts', 'users', 'users-b'],
  declaration: DECLARATION,
};

describe('what a swap would do', () => {
  it('is nothing where it asks for what is live', () => {
    expect(swapPlan(LIVE, SCENE).canSend).toBe(false);
    expect(swapPlan({ ...LIVE, left: '' }, SCENE).canSend).toBe(false);
  });

  it('is nothing where it asks for what is being built, and takes that back where it asks for what is live', () => {
    const building = { ...LIVE, left: 'users-b' };
    expect(swapPlan(building, { ...SCENE, building })).toEqual({
      text: 'This is being built: the tables change when it is ready.',
      canSend: false,
    });
    expect(swapPlan(LIVE, { ...SCENE, building })).toEqual({
      text: 'This is what is live now: the swap that is being built would be given up.',
      canSend: true,
    });
  });

  it('needs a topic for each source, by its name', () => {
    const left = { ...DECLARATION.left, name: 'order_items' };
    const scene = { ...SCENE, declaration: { ...DECLARATION, left } };
    expect(swapPlan({ ...LIVE, left: '' }, scene).text).toBe(
      'Choose a topic for order items and one for details.',
    );
  });

  it('is asked for in the fields that the declaration names', () => {
    expect(messageOf(LIVE, DECLARATION)).toEqual({
      eventsTopic: 'users',
      detailsTopic: 'accounts',
      joinType: 'left',
    });
  });

  it('is said before it is sent', () => {
    const plan = swapPlan({ ...LIVE, joinType: 'inner' }, SCENE);
    expect(plan.canSend).toBe(true);
    expect(plan.text).toMatch(/^users and accounts are joined \(inner\) beside what is live/);
  });

  it('is a rejection where a topic does not exist, once that is known', () => {
    const choice = { ...LIVE, left: 'nowhere' };
    expect(swapPlan(choice, SCENE).text).toMatch(/^There is no topic nowhere.* nothing changes\.$/);
    expect(swapPlan({ ...LIVE, left: 'usrs' }, SCENE).text).toMatch(/ Did you mean users\?$/);
    expect(swapPlan(choice, { ...SCENE, topics: null }).text).toMatch(/joined/);
  });
});
