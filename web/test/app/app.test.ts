// @vitest-environment happy-dom
import { FakeApplication } from '../../projects/livejoin-angular/test/angular';
import { TestBed, type ComponentFixture } from '@angular/core/testing';
import { type CellValue, type Column, type Declaration } from 'livejoin-angular';
import { DECLARATION } from 'livejoin-angular/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { App } from '../../src/app/app';
import { ControlPanelState } from '../../src/app/control/control-panel-state';

const ORDERS: Declaration = {
  left: { name: 'order_items', table: 'order_items_ui', topicField: 'order_itemsTopic', keep: 'all' },
  right: { name: 'customers', table: 'customers_ui', topicField: 'customersTopic', keep: 'latest' },
  joined: { table: 'final_ui' },
  on: [['customer', 'id']],
  joins: ['left', 'inner'],
};

function joinedColumns(left: string, right: string, ...names: [string, string, string]): Column[] {
  return [
    { name: names[0], kind: 'text', key: true, source: left },
    { name: names[1], kind: 'decimal', source: left },
    { name: names[2], kind: 'date', source: right },
  ];
}

describe('the page', () => {
  let application: FakeApplication;
  let fixture: ComponentFixture<App>;
  let page: HTMLElement;
  const fetched = vi.fn<(path: string, init: RequestInit) => Promise<Response>>();

  beforeEach(() => {
    sessionStorage.clear();
    localStorage.clear();
    history.replaceState(null, '', '?');
    vi.stubGlobal('fetch', fetched);
    fetched.mockReset();
    fetched.mockImplementation((path) =>
      Promise.resolve(Response.json(path === 'control/topics' ? { topics: ['a', 'b'] } : { id: '7' })),
    );
    application = new FakeApplication();
    declare(DECLARATION, ['u1', '12.30', '2024-12-31']);
  });

  afterEach(() => {
    vi.useRealTimers();
    application.destroy();
    vi.unstubAllGlobals();
    history.replaceState(null, '', '?');
  });

  /** The tables of a declaration, with one row each; those of livejoin's own name the topics by its fields. */
  function declare(declaration: Declaration, row: CellValue[], names = ['id', 'total', 'day']): void {
    const { server } = application;
    const { left, right, joined } = declaration;
    const columns = joinedColumns(left.name, right.name, ...(names as [string, string, string]));
    const put = (table: string, rows: CellValue[][], all: readonly Column[]): void => {
      server.tables.set(table, rows);
      server.columns.set(table, all);
    };
    for (const table of [left.table, right.table, joined.table]) put(table, [row], columns);
    const text = (name: string): Column => ({ name, kind: 'text' });
    const count = (name: string): Column => ({ name, kind: 'integer' });
    const asked = [text(left.topicField), text(right.topicField), text('joinType')];
    const topics = [`${left.name}.topic`, `${right.name}.topic`, 'left'];
    const generation = { name: 'generation', kind: 'integer' } as const;
    put('orchestrator_status', [[...topics, 'live', 1]], [...asked, text('state'), generation]);
    put('generations', [[...topics, 'live', 1]], [...asked, text('state'), generation]);
    put('control_raw', [], [...asked, text('raw'), { name: 'when', kind: 'instant' }]);
    for (const table of ['dead_letters', 'source_progress']) put(table, [], [text('topic')]);
    put('accounting', [[3, 12_345, 0]], [count('events'), count('deadLetters'), count('cut')]);
  }

  async function open(): Promise<void> {
    fixture = TestBed.createComponent(App);
    page = fixture.nativeElement as HTMLElement;
    await draw();
  }

  async function draw(): Promise<void> {
    for (let turn = 0; turn < 3; turn += 1) {
      await application.draw();
      fixture.detectChanges();
    }
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
    await draw();
    expect(headings()).toEqual(['Events', 'Details', 'Joined']);
    expect(page.querySelector('[data-testid=skeleton]')).toBeNull();
  });

  it('calls everything as the server declares it', async () => {
    await open();
    expect(headings()).toEqual(['Events', 'Details', 'Joined']);
    expect(strip()).toEqual(['events.topic', 'details.topic']);
    const strands = [...page.querySelectorAll<HTMLElement>('[data-strand]')];
    expect(strands.map(({ dataset }) => dataset['strand'])).toEqual(['left', 'right', 'joined']);
    const labels = [...page.querySelectorAll('lj-splitter')].map((line) => line.getAttribute('aria-label'));
    expect(labels).toEqual(['Room for events and details', 'Room for the sources and the joined table']);
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
    declare(ORDERS, ['o1', '9.99', '2025-01-01'], ['customer', '__proto__', 'a "b":c']);
    application.server.declare(ORDERS);
    await draw();
    expect(headings()).toEqual(['Events', 'Details', 'Joined']);
    expect(heads('final_ui')).toEqual(['id', 'total', 'day']);
    expect(page.querySelectorAll('.coming')).toHaveLength(2);
    expect(page.querySelector('[data-testid=stale]')).toBeNull();

    application.server.answersAtOnce = true;
    for (const handle of application.server.openHandles) handle.send();
    await draw();
    expect(headings()).toEqual(['Order items', 'Customers', 'Joined']);
    expect([panel('events_ui'), page.querySelector('.coming')]).toEqual([null, null]);
    expect(heads('final_ui')).toEqual(['customer', '__proto__', 'a "b":c']);
    expect(strip()).toEqual(['order_items.topic', 'customers.topic']);
    expect(page.querySelector('[data-testid=announcer]')?.textContent).toContain(
      'Now joining Order items and Customers',
    );
    const [head] = panel('final_ui')?.querySelectorAll<HTMLElement>('[data-head]') ?? [];
    expect(head?.title).toMatch(/^what the rows are joined by: order_items\.customer = customers\.id\n/);
    expect(page.querySelector('lj-splitter')?.getAttribute('aria-label')).toBe(
      'Room for order items and customers',
    );
    // What was chosen for tables or columns that are gone is chosen no longer.
    expect(location.search).toBe('');
  });

  it('shows what there is of another declaration where one of its tables never comes', async () => {
    await open();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    declare(ORDERS, ['o1', '9.99', '2025-01-01']);
    application.server.tables.delete('customers_ui');
    application.server.declare(ORDERS);
    await draw();
    expect(headings()).toEqual(['Events', 'Details', 'Joined']);
    vi.advanceTimersByTime(3_000);
    await draw();
    expect(headings()).toEqual(['Order items', 'Customers', 'Joined']);
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
    await draw();
    vi.advanceTimersByTime(60_000);
    await draw();
    expect(headings()).toEqual(['Events', 'Details', 'Joined']);
    expect(panel('events_ui')?.dataset['state']).toBe('stale');
    expect(strip()).toEqual(['events.topic', 'details.topic']);
    declare(ORDERS, ['o1', '9.99', '2025-01-01']);
    await application.environment.pass(20_000);
    await draw();
    expect(headings()).toEqual(['Order items', 'Customers', 'Joined']);
    expect(strip()).toEqual(['order_items.topic', 'customers.topic']);
  });

  it('asks for other topics in the words of the declaration, also of one that has just come', async () => {
    await open();
    TestBed.inject(ControlPanelState).open('control');
    await draw();
    expect(labels()).toEqual(['Events topic', 'Details topic', 'Join']);
    expect(hint()).toBe('Every row of events is shown; where details has none, its columns are null.');
    type('swap-events', 'other');
    await draw();
    expect(box('swap-events').value).toBe('other');

    declare(ORDERS, ['o1', '9.99', '2025-01-01']);
    application.server.declare(ORDERS);
    await draw();
    expect(labels()).toEqual(['Order items topic', 'Customers topic', 'Join']);
    expect(hint()).toBe('Every row of order items is shown; where customers has none, its columns are null.');
    expect(box('swap-order_items').value).toBe('order_items.topic');
    const joins = [...page.querySelectorAll('#swap-join option')].map(({ textContent }) => textContent);
    expect(joins).toEqual(['left', 'inner']);
    type('swap-customers', 'b');
    await draw();
    page.querySelector<HTMLElement>('[data-testid=swap-send]')?.click();
    await draw();
    const sent = fetched.mock.calls.find(([path]) => path === 'control/message');
    expect(JSON.parse(sent?.[1].body as string)).toEqual({
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
    return [...page.querySelectorAll('.swap label')].map(({ textContent }) => textContent);
  }

  function hint(): string | undefined {
    return page.querySelector('.swap .hint')?.textContent;
  }

  function box(testId: string): HTMLInputElement {
    const found = page.querySelector<HTMLInputElement>(`[data-testid=${testId}]`);
    if (found === null) throw new Error(`there is no box ${testId}`);
    return found;
  }

  function type(testId: string, text: string): void {
    box(testId).value = text;
    box(testId).dispatchEvent(new Event('input'));
  }
});
