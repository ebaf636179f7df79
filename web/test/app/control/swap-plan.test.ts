import { describe, expect, it } from 'vitest';
import { swapPlan } from '../../../src/app/control/swap-plan';

const LIVE = { usersTopic: 'users', accountsTopic: 'accounts', joinType: 'left' };
const TOPICS = ['accounts', 'users', 'users-b'];

describe('what a swap would do', () => {
  it('is nothing where it asks for what is live', () => {
    expect(swapPlan(LIVE, LIVE, TOPICS).canSend).toBe(false);
    expect(swapPlan({ ...LIVE, usersTopic: '' }, LIVE, TOPICS).canSend).toBe(false);
  });

  it('is said before it is sent', () => {
    const plan = swapPlan({ ...LIVE, joinType: 'inner' }, LIVE, TOPICS);
    expect(plan.canSend).toBe(true);
    expect(plan.text).toMatch(/^users and accounts are joined \(inner\) beside what is live/);
  });

  it('is a rejection where a topic does not exist, once that is known', () => {
    const choice = { ...LIVE, usersTopic: 'nowhere' };
    expect(swapPlan(choice, LIVE, TOPICS).text).toMatch(/^There is no topic nowhere/);
    expect(swapPlan(choice, LIVE, null).text).toMatch(/joined/);
  });
});
