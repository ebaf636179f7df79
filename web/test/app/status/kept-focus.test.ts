// @vitest-environment happy-dom
import type { CellValue } from 'livejoin-angular';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keyStore } from '../../../src/app/access/key-store';
import { FakePage } from '../fake-page';

describe('who acts by keys in the head of the page', () => {
  let fake: FakePage;

  beforeEach(() => {
    fake = new FakePage();
    keyStore.write('right');
  });

  afterEach(() => {
    fake.destroy();
  });

  async function tell(...states: string[]): Promise<void> {
    const rows = states.map((state, index): CellValue[] => [
      `users-${String(index + 1)}`,
      'accounts',
      'left',
      state,
      index + 1,
      null,
    ]);
    const shown = rows.filter(([, , , state]) => state === 'live').at(-1);
    fake.server.show('generations', rows, fake.server.columnsOf('generations'));
    fake.server.show(
      'orchestrator_status',
      [shown?.slice(0, 5) ?? []],
      fake.server.columnsOf('orchestrator_status'),
    );
    await fake.draw();
  }

  function focused(): Element | null {
    return fake.element.ownerDocument.activeElement;
  }

  function press(testId: string): HTMLElement {
    const found = fake.find(testId);
    if (found === null) throw new Error(`there is no ${testId}`);
    found.focus();
    found.click();
    return found;
  }

  it('keeps the focus where a way back is taken, and goes on at what is told then', async () => {
    await fake.open();
    await tell('lingering', 'live');
    let answer = (): void => undefined;
    fake.fetched.mockReturnValueOnce(
      new Promise((resolve) => {
        answer = () => {
          resolve(Response.json({ id: '7' }));
        };
      }),
    );
    const button = press('roll-back');
    await fake.draw();
    expect(button.getAttribute('aria-disabled')).toBe('true');
    expect(focused()).toBe(button);
    button.click();
    expect(fake.fetched).toHaveBeenCalledTimes(1);
    answer();
    await tell('lingering', 'live', 'requested');
    expect(fake.find('roll-back')).toBeNull();
    expect(focused()).toBe(fake.find('swap-bar')?.querySelector('p'));
  });

  it('goes on at the button for control where there is nothing more to tell', async () => {
    await fake.open();
    await tell('live', 'failed');
    press('dismiss');
    await fake.draw();
    expect(fake.find('swap-bar')).toBeNull();
    expect(focused()).toBe(fake.find('open-control'));
  });

  it('goes on at the badge where the connection is back', async () => {
    await fake.open();
    fake.server.isDown = true;
    fake.server.latest.lose();
    await fake.draw();
    fake.server.isDown = false;
    press('try-now');
    await fake.draw();
    expect(fake.find('try-now')).toBeNull();
    expect(focused()).toBe(fake.find('connection-state'));
  });
});
