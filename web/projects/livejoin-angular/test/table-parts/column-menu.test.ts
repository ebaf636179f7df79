// @vitest-environment happy-dom
import { FakeApplication } from '../angular';
import { TestBed, type ComponentFixture } from '@angular/core/testing';
import { AS_IT_IS, ColumnMenu, LivejoinFormats, type Column, type ViewChoice } from 'livejoin-angular';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const COLUMNS: readonly Column[] = [
  { name: '__proto__', kind: 'decimal' },
  { name: 'a "b", c:d', kind: 'date' },
  { name: 'constructor', kind: 'boolean' },
  { name: '0', kind: 'instant' },
  { name: 'select', kind: 'integer' },
  { name: 'order', kind: 'text' },
];

describe('the menu of a column', () => {
  let application: FakeApplication;
  let fixture: ComponentFixture<ColumnMenu>;
  let choice: ViewChoice;
  let closed: number;

  beforeEach(() => {
    application = new FakeApplication();
    choice = AS_IT_IS;
    closed = 0;
  });

  afterEach(() => {
    application.destroy();
  });

  function open(name: string): void {
    fixture = TestBed.createComponent(ColumnMenu);
    const inputs = { columns: COLUMNS, choice, beside: document.body, widthOf: () => 90 };
    const column = COLUMNS.find((one) => one.name === name);
    for (const [key, value] of Object.entries({ ...inputs, column }))
      fixture.componentRef.setInput(key, value);
    fixture.componentInstance.chosen.subscribe((change) => {
      choice = { ...choice, ...change };
      fixture.componentRef.setInput('choice', choice);
    });
    fixture.componentInstance.closed.subscribe(() => (closed += 1));
    fixture.detectChanges();
  }

  function found(testId: string): HTMLInputElement {
    const all = [
      ...(fixture.nativeElement as HTMLElement).querySelectorAll<HTMLInputElement>('[data-testid]'),
    ];
    const one = all.find(({ dataset }) => dataset['testid'] === testId);
    if (one === undefined) throw new Error(`there is no ${testId}`);
    return one;
  }

  function press(testId: string): void {
    found(testId).click();
    fixture.detectChanges();
  }

  /** As a person who leaves the field. */
  function type(testId: string, text: string): void {
    const field = found(testId);
    field.value = text;
    field.dispatchEvent(new Event('change'));
    fixture.detectChanges();
  }

  function fault(): string | null {
    const element = fixture.nativeElement as HTMLElement;
    return element.querySelector('[data-testid=filter-fault]')?.textContent ?? null;
  }

  it('sorts, and is gone then', () => {
    open('select');
    press('sort-descending');
    expect([choice.sort, closed]).toEqual([[{ column: 'select', direction: 'descending' }], 1]);
    press('sort-none');
    expect(choice.sort).toEqual([]);
  });

  it.each<[string, string, string, object]>([
    ['__proto__', 'from-__proto__', '12.30', { is: 'greaterOrEqual', to: '12.30' }],
    ['a "b", c:d', 'to-a "b", c:d', '2024-12-31', { is: 'lessOrEqual', to: '2024-12-31' }],
    ['0', 'from-0', '2024-05-17 08:30', { is: 'greaterOrEqual', to: '2024-05-17T08:30:00Z' }],
    ['select', 'to-select', '9007199254740993', { is: 'lessOrEqual', to: '9007199254740993' }],
    ['order', 'value-order', 'x', { is: 'containing', to: 'x' }],
  ])('filters a column of any name and kind by what is typed: %s', (column, field, text, condition) => {
    open(column);
    type(field, text);
    expect(choice.filter).toEqual([{ column, ...condition }]);
    expect(found(field).value).toBe(text);
    type(field, '');
    expect(choice.filter).toEqual([]);
  });

  it('asks texts in every way that there is', () => {
    open('order');
    type('value-order', 'x');
    for (const is of ['notContaining', 'equal', 'notEqual', 'startingWith', 'endingWith']) {
      type('asks-order', is);
      expect(choice.filter).toEqual([{ column: 'order', is, to: 'x' }]);
    }
    for (const is of ['blank', 'notBlank', 'null', 'notNull']) {
      type('asks-order', is);
      expect(choice.filter).toEqual([{ column: 'order', is }]);
    }
    press('unfilter-order');
    expect([choice.filter, closed]).toEqual([[], 1]);
  });

  it('says where it is typed that from is beyond to, and leaves what was in force', () => {
    open('select');
    type('from-select', '10');
    type('to-select', '9');
    expect(fault()).toContain('no row can match');
    expect(found('from-select').getAttribute('aria-invalid')).toBe('true');
    expect(choice.filter).toEqual([{ column: 'select', is: 'greaterOrEqual', to: '10' }]);
    type('to-select', '11');
    expect([fault(), choice.filter.length]).toEqual([null, 2]);
  });

  it('takes what was typed into both fields, however quickly', async () => {
    open('select');
    type('to-select', '5');
    for (const [testId, text] of [
      ['to-select', ''],
      ['from-select', '7'],
    ] as const) {
      const field = found(testId);
      field.value = text;
      field.dispatchEvent(new Event('input'));
    }
    await new Promise((done) => setTimeout(done, 300));
    expect(choice.filter).toEqual([{ column: 'select', is: 'greaterOrEqual', to: '7' }]);
  });

  it('says where it is typed what is no value, and why the server does not answer', () => {
    open('select');
    type('from-select', 'ten');
    expect([fault(), choice.filter]).toEqual(['This is no number. Write it like -1,234.5.', []]);
    type('from-select', '10');
    fixture.componentRef.setInput('refusal', 'Too many searches.');
    fixture.detectChanges();
    expect(fault()).toBe('The server cannot show this: Too many searches.');
  });

  it('moves by several places, pins, and hides', () => {
    open('constructor');
    press('move-left');
    press('move-left');
    expect(choice.columns?.map(({ name }) => name).indexOf('constructor')).toBe(0);
    expect(found('move-left').getAttribute('aria-disabled')).toBe('true');
    press('move-left');
    expect(closed).toBe(0);
    press('pin');
    expect(choice.columns?.[0]).toEqual({ name: 'constructor', width: 90, isPinned: true });
    press('hide');
    expect(choice.columns?.map(({ name }) => name)).not.toContain('constructor');
    press('hide');
    expect(choice.columns?.map(({ name }) => name)).toContain('constructor');
  });

  it('lets the zone of all times be chosen, and means it in what is typed', () => {
    open('0');
    type('from-0', '2024-07-01 12:00:00');
    expect(choice.filter).toEqual([{ column: '0', is: 'greaterOrEqual', to: '2024-07-01T12:00:00Z' }]);
    press('zone-local');
    expect(TestBed.inject(LivejoinFormats).zone()).toBe('local');
    const shown = found('from-0').value;
    expect(new Date(shown.replace(' ', 'T')).toISOString()).toBe('2024-07-01T12:00:00.000Z');
    expect(() => found('zone-utc')).not.toThrow();
  });

  it('has no zone to choose for what has no times', () => {
    open('select');
    expect(() => found('zone-utc')).toThrow('there is no zone-utc');
  });
});
