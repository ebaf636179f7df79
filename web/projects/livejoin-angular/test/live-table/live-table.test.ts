// @vitest-environment happy-dom
import { FakeApplication } from '../angular';
import { TestBed, type ComponentFixture } from '@angular/core/testing';
import { LiveTableComponent } from 'livejoin-angular';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

describe('<lj-live-table>', () => {
  let application: FakeApplication;
  let fixture: ComponentFixture<LiveTableComponent>;
  let element: HTMLElement;

  beforeEach(() => {
    application = new FakeApplication();
    application.server.show('users_ui', [
      ['ada', 1],
      ['bob', null],
    ]);
    application.server.show('final_ui', [['eve', 3]]);
    fixture = TestBed.createComponent(LiveTableComponent);
    element = fixture.nativeElement as HTMLElement;
    fixture.componentRef.setInput('table', 'users_ui');
  });

  afterEach(() => {
    application.destroy();
  });

  function status(): [state: string | undefined, text: string | undefined] {
    const note = element.querySelector<HTMLElement>('.note');
    return [note?.dataset['state'], note?.textContent];
  }

  /** What a screen reader says by itself. */
  function told(): string | undefined {
    return element.querySelector('[role=status]')?.textContent;
  }

  function click(selector: string, type = 'click'): void {
    element.querySelector(selector)?.dispatchEvent(new MouseEvent(type, { bubbles: true }));
  }

  function firstCell(): string | undefined {
    return element.querySelector('[role=gridcell]')?.textContent.trim();
  }

  it('shows the table by its name, from the first row, and how many rows there are', async () => {
    await application.draw();
    expect(firstCell()).toBe('ada');
    expect(status()).toEqual(['live', '2 rows']);
  });

  it('is called as its table where it has no name of its own', async () => {
    await application.draw();
    expect(element.querySelector('[role=grid]')?.getAttribute('aria-label')).toBe('users_ui');
    fixture.componentRef.setInput('label', 'People');
    await application.draw();
    expect(element.querySelector('[role=grid]')?.getAttribute('aria-label')).toBe('People');
  });

  it('shows another table when its input changes', async () => {
    await application.draw();
    fixture.componentRef.setInput('table', 'final_ui');
    await application.draw();
    expect(firstCell()).toBe('eve');
  });

  it('asks the server for its columns, sort and filter', async () => {
    const sort = [{ column: 'amount', direction: 'descending' }];
    const filter = [{ column: 'amount', is: 'notNull' }];
    fixture.componentRef.setInput('columns', ['amount']);
    fixture.componentRef.setInput('sort', sort);
    fixture.componentRef.setInput('filter', filter);
    await application.draw();
    expect(application.server.openHandles[0]?.view).toMatchObject({ columns: ['amount'], sort, filter });
    const heads = [...element.querySelectorAll('[role=columnheader]')];
    expect(heads.map((head) => head.getAttribute('aria-sort'))).toEqual(['descending']);
  });

  it('says that it loads, and why it takes long', async () => {
    fixture.componentRef.setInput('table', 'late_ui');
    TestBed.tick();
    expect(status()).toEqual(['loading', 'Loading …']);
    await application.draw();
    expect(status()).toEqual(['loading', 'The table server has no late_ui yet.']);
  });

  it('keeps the rows of a server that is gone and says that they are old', async () => {
    await application.draw();
    application.server.isDown = true;
    application.server.latest.lose('The connection was lost.');
    await application.draw();
    expect(firstCell()).toBe('ada');
    expect(status()).toEqual(['stale', '2 rows, not up to date: The connection was lost.']);
    expect(told()).toBe('The connection was lost.');
  });

  it('does not tell of every row', async () => {
    await application.draw();
    expect([status()[1], told()]).toEqual(['2 rows', '']);
    application.server.show('users_ui', [
      ['ada', 1],
      ['bob', null],
      ['cyd', 2],
    ]);
    await application.draw();
    expect([status()[1], told()]).toEqual(['3 rows', '']);
  });

  it('is sorted by a click on a head, and says so', async () => {
    await application.draw();
    const sorts: unknown[] = [];
    fixture.componentInstance.sort.subscribe((sort) => sorts.push(sort));
    click('[data-head=amount]');
    await application.draw();
    const sort = [{ column: 'amount', direction: 'ascending' }];
    expect(sorts).toEqual([sort]);
    expect(application.server.openHandles.map(({ view }) => view.sort)).toContainEqual(sort);
    fixture.componentRef.setInput('sortable', false);
    await application.draw();
    click('[data-head=amount]');
    expect(sorts).toHaveLength(1);
  });

  it('tells which row was clicked, clicked twice and selected', async () => {
    await application.draw();
    const told: unknown[] = [];
    const table = fixture.componentInstance;
    table.rowClicked.subscribe(({ row, column }) => told.push(['clicked', row.cells[0], column]));
    table.rowDoubleClicked.subscribe(({ row, column }) => told.push(['twice', row.cells[0], column]));
    table.selected.subscribe(({ rows, columns }) => told.push([rows.map(({ cells }) => cells[0]), columns]));
    click('[data-at="0 0"]', 'pointerdown');
    await application.draw();
    click('[data-at="0 0"]');
    click('[data-at="0 0"]', 'dblclick');
    expect(told).toEqual([
      [['ada'], ['id']],
      ['clicked', 'ada', 'id'],
      ['twice', 'ada', 'id'],
    ]);
    // The same row with another value is no other selection.
    application.server.show('users_ui', [['ada', 2]]);
    await application.draw();
    expect(told).toHaveLength(3);
  });

  it('writes values as the application wants them', async () => {
    fixture.componentRef.setInput('formatter', (value: unknown, { name }: { name: string }) =>
      name === 'amount' ? `${String(value)} pieces` : null,
    );
    await application.draw();
    const texts = [...element.querySelectorAll('[role=gridcell]')].map((cell) => cell.textContent.trim());
    expect(texts).toEqual(['ada', '1 pieces']);
  });

  it('leaves nothing open when it goes away', async () => {
    await application.draw();
    fixture.destroy();
    await application.environment.pass(2_000);
    expect(application.server.openHandles).toHaveLength(0);
  });
});
