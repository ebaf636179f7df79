// @vitest-environment happy-dom
import { TestBed } from '@angular/core/testing';
import { instantOf } from 'livejoin-angular';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ControlPanelState } from '../../src/app/control/control-panel-state';
import { FakePage } from './fake-page';

describe('what the page tells', () => {
  let page: FakePage;

  beforeEach(() => {
    page = new FakePage();
  });

  afterEach(() => {
    page.destroy();
  });

  it('says live only when the rows are there', async () => {
    const badge = (): string | undefined => page.find('connection-state')?.dataset['state'];
    page.server.answersAtOnce = false;
    await page.open();
    expect(badge()).toBe('loading');
    page.server.answersAtOnce = true;
    for (const handle of page.server.openHandles) handle.send();
    await page.draw();
    expect(badge()).toBe('live');
  });

  it('shows a silent pipeline as such, over a connection that is well', async () => {
    await page.open();
    const columns = page.server.columnsOf('generations');
    const row = ['events.topic', 'details.topic', 'left', 'live', 1, 'the pipeline is silent'];
    page.server.show('generations', [row], columns);
    await page.draw();
    expect(page.find('connection-state')?.textContent.trim()).toBe('Stalled');
    const notice = page.find('swap-bar');
    expect([notice?.dataset['kind'], notice?.querySelector('.title')?.textContent]).toEqual([
      'trouble',
      'The pipeline is silent.',
    ]);
  });

  it('keeps what was begun in the form when the panel is closed', async () => {
    await page.open();
    const state = TestBed.inject(ControlPanelState);
    state.open('control');
    await page.draw();
    page.type('swap-events', 'b');
    state.close();
    await page.draw();
    expect(page.find('swap-events')).toBeNull();
    state.open('control');
    await page.draw();
    expect(page.box('swap-events').value).toBe('b');
  });

  it('tells a rejection once, lets it be put away, and offers topics by what is typed', async () => {
    await page.open();
    TestBed.inject(ControlPanelState).open('control');
    await page.draw();
    page.type('swap-events', 'bb');
    await page.draw();
    const offered = [...page.element.querySelectorAll('[role=option]')].map(({ textContent }) =>
      textContent.trim(),
    );
    expect(offered).toEqual(['Did you mean b?']);
    page.find('swap-send')?.click();
    await page.draw();
    const [, init] = page.fetched.mock.calls.find(([path]) => path === 'control/message') ?? [];
    const { id } = JSON.parse(init?.body as string) as { id: string };
    const when = instantOf(BigInt(Date.now()) * 1_000_000n);
    const reason = "the broker has no topic 'bb'";
    page.server.show(
      'control_raw',
      [['bb', 'details.topic', 'left', JSON.stringify({ id }), 'rejected', reason, when]],
      page.server.columnsOf('control_raw'),
    );
    await page.draw();
    const told = (): number => page.element.textContent.split('has no topic').length - 1;
    expect([told(), page.find('swap-bar')]).toEqual([1, null]);
    page.find('dismiss-verdict')?.click();
    await page.draw();
    expect(page.find('swap-verdict')).toBeNull();
    expect(page.element.querySelector('[data-testid=control-log] li')?.textContent).toContain(
      "The broker has no topic 'bb'.",
    );
  });
});
