// @vitest-environment happy-dom
import { FakeApplication } from '../angular';
import { signal } from '@angular/core';
import { TestBed, type ComponentFixture } from '@angular/core/testing';
import { GridPosition, LiveGrid, type LiveRow, type SortPress, type ViewSnapshot } from 'livejoin-angular';
import { emptySnapshot, instantFrom } from 'livejoin-client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const ROW_HEIGHT = 28;

describe('<lj-live-grid>', () => {
  let application: FakeApplication;
  let fixture: ComponentFixture<LiveGrid>;
  let element: HTMLElement;
  let snapshot: ViewSnapshot;
  let position: GridPosition;
  const size = signal(0);

  beforeEach(() => {
    application = new FakeApplication();
    snapshot = {
      ...emptySnapshot('users_ui'),
      state: { kind: 'live' },
      columns: [
        { name: 'userId', kind: 'text' },
        { name: 'age', kind: 'integer' },
      ],
      size: 1_000,
      rows: [row(0, 'ada', 2n ** 53n + 1n), row(1, '', null)],
    };
    position = new GridPosition(size);
    position.bodyHeight.set(3 * ROW_HEIGHT);
    position.first();
    fixture = TestBed.createComponent(LiveGrid);
    element = fixture.nativeElement as HTMLElement;
    fixture.componentRef.setInput('position', position);
    fixture.componentRef.setInput('label', 'People');
    show({});
  });

  afterEach(() => {
    application.destroy();
  });

  function row(index: number, ...cells: LiveRow['cells']): LiveRow {
    return { id: index, index, cells, changes: null };
  }

  function show(changes: Partial<ViewSnapshot>): void {
    snapshot = { ...snapshot, ...changes };
    size.set(snapshot.size);
    fixture.componentRef.setInput('snapshot', snapshot);
    fixture.detectChanges();
  }

  function cells(): HTMLElement[] {
    return [...element.querySelectorAll<HTMLElement>('[role=gridcell]')];
  }

  function head(name: string): HTMLElement {
    const found = element.querySelector<HTMLElement>(`[data-head=${name}]`);
    if (found === null) throw new Error(`there is no head ${name}`);
    return found;
  }

  it('draws the rows that are visible, and a place for those that have not arrived', () => {
    expect(element.querySelectorAll('[role=row]')).toHaveLength(1 + 3);
    expect(cells().map(({ textContent }) => textContent.trim())).toEqual([
      'ada',
      '9,007,199,254,740,993',
      '',
      'null',
      '',
      '',
    ]);
    expect(element.querySelectorAll('.waiting')).toHaveLength(2);
  });

  it('reads where scroll bars are before it moves any of them, so that a page is laid out once for all grids', () => {
    const beside = TestBed.createComponent(LiveGrid);
    const its = new GridPosition(size);
    its.bodyHeight.set(3 * ROW_HEIGHT);
    its.first();
    for (const [name, value] of Object.entries({ snapshot, position: its, label: 'Others' }))
      beside.componentRef.setInput(name, value);
    beside.detectChanges();
    const usual = Object.getOwnPropertyDescriptor(Element.prototype, 'scrollTop');
    let told = '';
    Object.defineProperty(Element.prototype, 'scrollTop', {
      configurable: true,
      get(this: Element): number {
        told += 'r';
        return Number(usual?.get?.call(this) ?? 0);
      },
      set(this: Element, top: number) {
        told += 'w';
        usual?.set?.call(this, top);
      },
    });
    position.moveTo(500);
    its.moveTo(600);
    TestBed.tick();
    if (usual !== undefined) Object.defineProperty(Element.prototype, 'scrollTop', usual);
    expect(told).toMatch(/^r+ww+r*$/);
    beside.destroy();
  });

  it('is as high as all rows, and tells how many there are to who cannot see it', () => {
    expect(element.querySelector<HTMLElement>('.content')?.style.height).toBe('28030px');
    expect(element.querySelector('[role=grid]')?.getAttribute('aria-rowcount')).toBe('1001');
    expect(element.querySelector('[role=rowgroup] [role=row]')?.getAttribute('aria-rowindex')).toBe('2');
  });

  it('tells a null from an empty text', () => {
    expect(cells().map(({ dataset }) => dataset['null'] !== undefined)).toEqual([
      false,
      false,
      false,
      true,
      false,
      false,
    ]);
  });

  it('flashes what has just changed, by turns, and not what changed long ago', () => {
    const now = Date.now();
    show({ rows: [{ ...row(0, 'ada', 1), changes: [undefined, { count: 1, at: now, from: 0 }] }] });
    expect(cells()[1]?.dataset['flash']).toBe('rise-b');
    expect(cells()[1]?.title).toBe('1\nBefore: 0');
    show({ rows: [{ ...row(0, 'ada', -2), changes: [undefined, { count: 2, at: now, from: 1 }] }] });
    expect(cells()[1]?.dataset['flash']).toBe('fall-a');
    show({ rows: [{ ...row(0, 'ada', 3), changes: [undefined, { count: 3, at: now - 60_000, from: 2 }] }] });
    expect(cells()[1]?.dataset['flash']).toBeUndefined();
  });

  it('shows in which order the rows are', () => {
    show({ sort: [{ column: 'age', direction: 'descending' }] });
    const orders = [head('userId'), head('age')].map((shown) => shown.getAttribute('aria-sort'));
    expect(orders).toEqual([null, 'descending']);
  });

  it('passes on the wish to sort where it is sortable, and only there', () => {
    const pressed: SortPress[] = [];
    fixture.componentInstance.sortPressed.subscribe((press) => pressed.push(press));
    head('age').click();
    expect(pressed).toEqual([]);
    fixture.componentRef.setInput('sortable', true);
    fixture.detectChanges();
    head('age').click();
    head('userId').dispatchEvent(new MouseEvent('click', { shiftKey: true, bubbles: true }));
    expect(pressed).toEqual([
      { column: 'age', isAdded: false },
      { column: 'userId', isAdded: true },
    ]);
  });

  it('says what a column is marked with', () => {
    fixture.componentRef.setInput('marks', (name: string) =>
      name === 'age' ? { colour: 'red', hint: 'In years' } : null,
    );
    fixture.detectChanges();
    expect([head('age').title, head('userId').title]).toEqual(['In years', 'userId']);
    expect(head('age').style.getPropertyValue('--mark')).toBe('red');
  });

  it('draws columns of any name, sorts by them, and shows values of every kind with all of their digits', () => {
    const pressed: SortPress[] = [];
    fixture.componentInstance.sortPressed.subscribe((press) => pressed.push(press));
    fixture.componentRef.setInput('sortable', true);
    const names = ['__proto__', 'constructor', 'a "b" <i>', "it's, 50% a.b:c", '0', 'größe ✓', 'select'];
    const kinds = ['decimal', 'date', 'boolean', 'integer', 'double', 'instant', 'text'] as const;
    show({
      columns: names.map((name, place) => ({ name, kind: kinds[place] ?? 'text', key: place === 2 })),
      sort: [{ column: '__proto__', direction: 'ascending' }],
      rows: [
        row(
          0,
          '-1234.50',
          '2024-12-31',
          false,
          2n ** 60n,
          0.125,
          instantFrom('2024-05-17T08:30:00.5Z'),
          '12',
        ),
      ],
    });
    const heads = [...element.querySelectorAll<HTMLElement>('[role=columnheader]')];
    expect(heads.map(({ dataset }) => dataset['head'])).toEqual(names);
    expect(heads.map((one) => one.getAttribute('aria-sort'))).toEqual([
      'ascending',
      ...Array<null>(6).fill(null),
    ]);
    for (const one of heads) one.click();
    expect(pressed.map(({ column }) => column)).toEqual(names);
    const first = cells().slice(0, names.length);
    expect(first.map(({ textContent }) => textContent.trim())).toEqual([
      '-1,234.50',
      '2024-12-31',
      'false',
      '1,152,921,504,606,846,976',
      '0.125',
      '2024-05-17 08:30:00.500',
      '12',
    ]);
    expect(first.map(({ classList }) => classList.contains('numeric'))).toEqual([
      true,
      false,
      false,
      true,
      true,
      false,
      false,
    ]);
    expect(first.map(({ classList }) => classList.contains('key')).indexOf(true)).toBe(2);
  });

  it('keeps what it has drawn while the newest rows are on their way', () => {
    position.last();
    show({ size: 3, rows: [row(0, 'ada', 1), row(1, 'bob', 2), row(2, 'cyd', 3)] });
    show({ size: 9 });
    expect(element.querySelectorAll('.waiting')).toHaveLength(0);
    expect(cells()[4]?.textContent.trim()).toBe('cyd');
  });

  it('marks rows that are old', () => {
    expect(element.querySelector('.stale')).toBeNull();
    show({ state: { kind: 'stale', reason: 'The network is gone.' } });
    expect(element.querySelector('[role=rowgroup].stale')).not.toBeNull();
  });
});
