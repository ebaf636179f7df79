// @vitest-environment happy-dom
import { FakeApplication } from '../../../projects/livejoin-angular/test/angular';
import { TestBed, type ComponentFixture } from '@angular/core/testing';
import type { Column } from 'livejoin-angular';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AS_IT_IS, type ViewChoice } from '../../../src/app/grid/view-choice';
import { ViewEditor } from '../../../src/app/grid/view-editor';

const COLUMNS: readonly Column[] = [
  { name: '__proto__', kind: 'decimal' },
  { name: 'a "b", c:d', kind: 'date' },
  { name: 'constructor', kind: 'boolean' },
  { name: '0', kind: 'instant' },
  { name: 'select', kind: 'integer' },
  { name: 'order', kind: 'text' },
];

describe('the editor of a view', () => {
  let application: FakeApplication;
  let fixture: ComponentFixture<ViewEditor>;
  let choice: ViewChoice;

  beforeEach(() => {
    application = new FakeApplication();
    choice = AS_IT_IS;
    fixture = TestBed.createComponent(ViewEditor);
    fixture.componentRef.setInput('table', 'final_ui');
    fixture.componentRef.setInput('columns', COLUMNS);
    fixture.componentInstance.chosen.subscribe((change) => {
      choice = { ...choice, ...change };
      fixture.componentRef.setInput('choice', choice);
    });
    fixture.componentRef.setInput('choice', choice);
    fixture.detectChanges();
  });

  afterEach(() => {
    application.destroy();
  });

  function field(testId: string): HTMLInputElement {
    const page = fixture.nativeElement as HTMLElement;
    const all = [...page.querySelectorAll<HTMLInputElement>('input, select')];
    const found = all.find(({ dataset }) => dataset['testid'] === testId);
    if (found === undefined) throw new Error(`there is no field ${testId}`);
    return found;
  }

  /** As a person who leaves the box. */
  function type(testId: string, text: string): void {
    const box = field(testId);
    box.value = text;
    box.dispatchEvent(new Event('change'));
    fixture.detectChanges();
  }

  it('has a field for every kind of column, and takes what is typed as it is', () => {
    type('from-__proto__', '12.30');
    type('to-a "b", c:d', '2024-12-31');
    type('truth-constructor', 'false');
    type('from-0', '2024-05-17T08:30');
    type('to-select', '9007199254740993');
    type('contains-order', 'x');
    expect(choice.filter).toEqual([
      { column: '__proto__', is: 'greaterOrEqual', to: '12.30' },
      { column: 'a "b", c:d', is: 'lessOrEqual', to: '2024-12-31' },
      { column: 'constructor', is: 'equal', to: 'false' },
      { column: '0', is: 'greaterOrEqual', to: '2024-05-17T08:30Z' },
      { column: 'select', is: 'lessOrEqual', to: '9007199254740993' },
      { column: 'order', is: 'containing', to: 'x' },
    ]);
    expect(field('from-__proto__').value).toBe('12.30');
    expect(field('from-0').value).toBe('2024-05-17T08:30');
    expect(field('truth-constructor').value).toBe('false');
  });

  it('takes a condition away where its field is emptied', () => {
    type('from-__proto__', '12.30');
    type('from-__proto__', '');
    type('truth-constructor', 'true');
    type('truth-constructor', '');
    expect(choice.filter).toEqual([]);
  });

  it('has the boxes that fit, and says that times are in UTC', () => {
    expect(['from-__proto__', 'to-a "b", c:d', 'from-0'].map((id) => field(id).type)).toEqual([
      'number',
      'date',
      'datetime-local',
    ]);
    expect(field('from-0').getAttribute('aria-label')).toBe('0 from, in UTC');
  });

  it('hides a column of any name', () => {
    field('show-__proto__').click();
    expect(choice.columns?.map(({ name }) => name)).toEqual(COLUMNS.slice(1).map(({ name }) => name));
  });
});
