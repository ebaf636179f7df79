// @vitest-environment happy-dom
import type { FakeApplication } from '../../projects/livejoin-angular/test/angular';
import { LOCALE_ID } from '@angular/core';
import { TestBed } from '@angular/core/testing';
import type { Declaration } from 'livejoin-angular';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ControlPanelState } from '../../src/app/control/control-panel-state';
import { FakePage } from './fake-page';

const ORDERS: Declaration = {
  left: { name: 'order_items', table: 'order_items_ui', topicField: 'order_itemsTopic', keep: 'all' },
  right: { name: 'customers', table: 'customers_ui', topicField: 'customersTopic', keep: 'latest' },
  joined: { table: 'final_ui' },
  on: [['customer', 'id']],
  joins: ['left', 'inner'],
};

describe('the page', () => {
  let fake: FakePage;
  let application: FakeApplication;
  let page: HTMLElement;

  beforeEach(() => {
    fake = new FakePage();
    application = fake.application;
  });

  afterEach(() => {
    fake.destroy();
  });

  async function open(): Promise<void> {
    await fake.open();
    page = fake.element;
  }

  function panel(table: string): HTMLElement | null {
    return page.querySelector<HTMLElement>(`[data-testid=grid-${table}]`);
  }

  function headings(): string[] {
    const shown = [...page.querySelectorAll('lj-table-panel:not(.coming) h2')];
    return shown.map(({ textContent }) => textContent);
  }

  function heads(table: string): (string | undefined)[] {
    const all = panel(table)?.querySelectorAll<HTMLElement>('[data-head]') ?? [];
    return [...all].map(({ dataset }) => dataset['head']);
  }

  function strip(): string[] {
    return [...page.querySelectorAll('.topic')].map(({ textContent }) => textContent);
  }

  it('writes its numbers as the tables do, in the language of the person', async () => {
    TestBed.overrideProvider(LOCALE_ID, { useValue: 'de' });
    await open();
    expect(fake.find('letters')?.textContent.trim()).toBe('12.345');
  });

  it('does not call live what one table of it has stayed behind', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
    await open();
    const badge = (): string | undefined => fake.find('connection-state')?.textContent.trim();
    expect(badge()).toBe('Live');
    const failed = application.server.openHandles.find(({ view }) => view.table === 'details_ui');
    application.server.refuse = ({ table }) => (table === 'details_ui' ? 'It cannot be shown so.' : null);
    failed?.fail('the engine has given it up');
    await fake.draw();
    expect(badge()).toBe('Live');
    vi.advanceTimersByTime(1_500);
    await fake.draw();
    expect(panel('details_ui')?.dataset['state']).toBe('stale');
    expect(badge()).toBe('Partly stale');
    application.server.refuse = () => null;
    await application.environment.pass(20_000);
    await fake.draw();
    expect(badge()).toBe('Live');
  });

  it('has bones where the tables will be, before it is known what they are, and says why', async () => {
    application.server.isDown = true;
    await open();
    expect(page.querySelectorAll('lj-table-panel')).toHaveLength(0);
    const bones = [...page.querySelectorAll('[data-testid=skeleton]')];
    expect(bones.map(({ textContent }) => textContent.trim())).toEqual(
      Array<string>(3).fill('The table server is not reachable.'),
    );
    application.server.isDown = false;
    await application.environment.pass(10_000);
    await fake.draw();
    expect(headings()).toEqual(['Joined', 'Events', 'Details']);
    expect(page.querySelector('[data-testid=skeleton]')).toBeNull();
  });

  it('calls everything as the server declares it', async () => {
    await open();
    expect(headings()).toEqual(['Joined', 'Events', 'Details']);
    expect(strip()).toEqual(['events.topic', 'details.topic']);
    const strands = [...page.querySelectorAll<HTMLElement>('[data-strand]')];
    expect(strands.map(({ dataset }) => dataset['strand'])).toEqual(['joined', 'left', 'right']);
    const labels = [...page.querySelectorAll('lj-splitter')].map((line) => line.getAttribute('aria-label'));
    expect(labels).toEqual(['Room for the joined table and its sources', 'Room for events and details']);
    const marks = [...(panel('final_ui')?.querySelectorAll<HTMLElement>('[data-head]') ?? [])];
    expect(marks.map(({ style }) => style.getPropertyValue('--mark'))).toEqual([
      'var(--joined)',
      'var(--left)',
      'var(--right)',
    ]);
    expect(marks.map(({ title }) => title.split('\n')[0])).toEqual([
      'in both: what the rows are joined by',
      'from events',
      'from details',
    ]);
    expect(
      panel('events_ui')?.querySelector<HTMLElement>('[data-head]')?.style.getPropertyValue('--mark'),
    ).toBe('');
  });

  it('counts all dead letters of what is live, however many of them are shown', async () => {
    await open();
    expect(page.querySelector('[data-testid=letters]')?.textContent.trim()).toBe('12,345');
  });

  it('follows another declaration: the tables that were shown stay until the others are here', async () => {
    history.replaceState(
      null,
      '',
      '?events_ui.sort=total:ascending&final_ui.sort=total:ascending&table=events_ui',
    );
    await open();
    expect(headings()).toHaveLength(3);
    application.server.answersAtOnce = false;
    fake.declare(ORDERS, ['o1', '9.99', '2025-01-01'], ['customer', '__proto__', 'a "b":c']);
    application.server.declare(ORDERS);
    await fake.draw();
    expect(headings()).toEqual(['Joined', 'Events', 'Details']);
    expect(heads('final_ui')).toEqual(['id', 'total', 'day']);
    expect(page.querySelectorAll('.coming')).toHaveLength(2);
    expect(page.querySelector('[data-testid=stale]')).toBeNull();

    application.server.answersAtOnce = true;
    for (const handle of application.server.openHandles) handle.send();
    await fake.draw();
    expect(headings()).toEqual(['Joined', 'Order items', 'Customers']);
    expect([panel('events_ui'), page.querySelector('.coming')]).toEqual([null, null]);
    expect(heads('final_ui')).toEqual(['customer', '__proto__', 'a "b":c']);
    expect(strip()).toEqual(['order_items.topic', 'customers.topic']);
    expect(page.querySelector('[data-testid=announcer]')?.textContent).toContain(
      'Now joining Order items and Customers',
    );
    const [head] = panel('final_ui')?.querySelectorAll<HTMLElement>('[data-head]') ?? [];
    expect(head?.title).toMatch(/^what the rows are joined by: order_items\.customer = customers\.id\n/);
    expect(page.querySelector('lj-splitter.across')?.getAttribute('aria-label')).toBe(
      'Room for order items and customers',
    );
    // What was chosen for tables or columns that are gone is chosen no longer.
    expect(location.search).toBe('');
  });

  it('shows what there is of another declaration where one of its tables never comes', async () => {
    await open();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    fake.declare(ORDERS, ['o1', '9.99', '2025-01-01']);
    application.server.tables.delete('customers_ui');
    application.server.declare(ORDERS);
    await fake.draw();
    expect(headings()).toEqual(['Joined', 'Events', 'Details']);
    vi.advanceTimersByTime(3_000);
    await fake.draw();
    expect(headings()).toEqual(['Joined', 'Order items', 'Customers']);
    expect(panel('order_items_ui')?.dataset['state']).toBe('live');
    expect(panel('customers_ui')?.querySelector('[data-testid=skeleton]')).not.toBeNull();
  });

  it('keeps the last rows for as long as a server that joins something else loads its tables', async () => {
    await open();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    for (const table of [...application.server.tables.keys()]) application.server.tables.delete(table);
    application.server.declare(ORDERS);
    application.server.latest.lose();
    await application.environment.pass(10_000);
    await fake.draw();
    vi.advanceTimersByTime(60_000);
    await fake.draw();
    expect(headings()).toEqual(['Joined', 'Events', 'Details']);
    expect(panel('events_ui')?.dataset['state']).toBe('stale');
    expect(strip()).toEqual(['events.topic', 'details.topic']);
    fake.declare(ORDERS, ['o1', '9.99', '2025-01-01']);
    await application.environment.pass(20_000);
    await fake.draw();
    expect(headings()).toEqual(['Joined', 'Order items', 'Customers']);
    expect(strip()).toEqual(['order_items.topic', 'customers.topic']);
  });

  it('asks for other topics in the words of the declaration, also of one that has just come', async () => {
    await open();
    TestBed.inject(ControlPanelState).open('control');
    await fake.draw();
    expect(labels()).toEqual(['Events topic', 'Details topic', 'Join']);
    expect(hint()).toBe('Every row of events is shown; where details has none, its columns are null.');
    fake.type('swap-events', 'other');
    await fake.draw();
    expect(fake.box('swap-events').value).toBe('other');

    fake.declare(ORDERS, ['o1', '9.99', '2025-01-01']);
    application.server.declare(ORDERS);
    await fake.draw();
    expect(labels()).toEqual(['Order items topic', 'Customers topic', 'Join']);
    expect(hint()).toBe('Every row of order items is shown; where customers has none, its columns are null.');
    expect(fake.box('swap-order_items').value).toBe('order_items.topic');
    const joins = [...page.querySelectorAll('[data-testid=swap-join] label')].map(({ textContent }) =>
      textContent.trim(),
    );
    expect(joins).toEqual(['left', 'inner']);
    fake.type('swap-customers', 'b');
    await fake.draw();
    page.querySelector<HTMLElement>('[data-testid=swap-send]')?.click();
    await fake.draw();
    const sent = fake.fetched.mock.calls.find(([path]) => path === 'control/message');
    expect(JSON.parse(sent?.[1].body as string)).toEqual({
      id: expect.any(String) as string,
      order_itemsTopic: 'order_items.topic',
      customersTopic: 'b',
      joinType: 'left',
    });
  });

  it('asks the server for what an address says, in the kinds of the columns', async () => {
    history.replaceState(
      null,
      '',
      '?final_ui.filter=total:greaterOrEqual:12.30&final_ui.filter=day:lessOrEqual:2024-12-31&final_ui.sort=gone:ascending',
    );
    await open();
    const view = application.server.openHandles.find(({ view: { filter } }) => filter.length > 0)?.view;
    expect(view?.filter).toEqual([
      { column: 'total', is: 'greaterOrEqual', to: '12.30' },
      { column: 'day', is: 'lessOrEqual', to: '2024-12-31' },
    ]);
    expect(view?.sort).toEqual([]);
    expect(panel('final_ui')?.dataset['state']).toBe('live');
  });

  function labels(): string[] {
    return [...page.querySelectorAll('.swap > :is(label, .label)')].map(({ textContent }) => textContent);
  }

  function hint(): string | undefined {
    return page.querySelector('.swap .hint')?.textContent;
  }
});
