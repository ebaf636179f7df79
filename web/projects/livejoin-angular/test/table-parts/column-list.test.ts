// @vitest-environment happy-dom
import { FakeApplication } from '../angular';
import { TestBed, type ComponentFixture } from '@angular/core/testing';
import { AS_IT_IS, ColumnList, type MenuWish, type ViewChoice } from 'livejoin-angular';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const COLUMNS = ['__proto__', 'name', 'age'].map((name) => ({ name, kind: 'text' as const }));

describe('<lj-column-list>', () => {
  let application: FakeApplication;
  let fixture: ComponentFixture<ColumnList>;
  let element: HTMLElement;
  let choice: ViewChoice = AS_IT_IS;

  beforeEach(() => {
    application = new FakeApplication();
    choice = AS_IT_IS;
    fixture = TestBed.createComponent(ColumnList);
    element = fixture.nativeElement as HTMLElement;
    const inputs = { label: 'People', columns: COLUMNS, choice, beside: document.body };
    for (const [name, value] of Object.entries(inputs)) fixture.componentRef.setInput(name, value);
    fixture.componentInstance.chosen.subscribe((change) => {
      choice = { ...choice, ...change };
      fixture.componentRef.setInput('choice', choice);
      fixture.detectChanges();
    });
    fixture.detectChanges();
  });

  afterEach(() => {
    application.destroy();
  });

  function boxes(): HTMLInputElement[] {
    return [...element.querySelectorAll<HTMLInputElement>('input[type=checkbox]')];
  }

  it('hides a column of any name, whose line stays where it is, and shows it there again', () => {
    boxes()[0]?.click();
    expect(choice.columns?.map(({ name }) => name)).toEqual(['name', 'age']);
    expect(boxes().map(({ dataset, checked }) => [dataset['testid'], checked])).toEqual([
      ['show-__proto__', false],
      ['show-name', true],
      ['show-age', true],
    ]);
    boxes()[0]?.click();
    expect(choice.columns?.map(({ name }) => name)).toEqual(['__proto__', 'name', 'age']);
  });

  it('never hides the last one, and shows all again', () => {
    boxes()[0]?.click();
    boxes()[1]?.click();
    expect(boxes().map(({ disabled }) => disabled)).toEqual([false, false, true]);
    element.querySelector<HTMLElement>('[data-testid=all-columns]')?.click();
    expect(choice.columns).toBeNull();
  });

  it('leads to the menu of every column, also of one that is hidden', () => {
    const wishes: MenuWish[] = [];
    fixture.componentInstance.menuAsked.subscribe((wish) => wishes.push(wish));
    boxes()[0]?.click();
    element.querySelector<HTMLElement>('[data-testid=arrange-__proto__]')?.click();
    expect(wishes.map(({ column }) => column)).toEqual(['__proto__']);
  });
});
