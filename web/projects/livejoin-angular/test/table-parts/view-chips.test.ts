// @vitest-environment happy-dom
import { FakeApplication } from '../angular';
import { TestBed, type ComponentFixture } from '@angular/core/testing';
import { AS_IT_IS, ViewChips, type ViewChoice } from 'livejoin-angular';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const COLUMNS = [
  { name: 'name', kind: 'text' },
  { name: 'age', kind: 'integer' },
] as const;

describe('<lj-view-chips>', () => {
  let application: FakeApplication;
  let fixture: ComponentFixture<ViewChips>;
  let element: HTMLElement;
  let choice: ViewChoice;
  let cleared: number;

  beforeEach(() => {
    application = new FakeApplication();
    fixture = TestBed.createComponent(ViewChips);
    element = fixture.nativeElement as HTMLElement;
    document.body.append(element);
    cleared = 0;
    fixture.componentRef.setInput('label', 'People');
    fixture.componentRef.setInput('columns', COLUMNS);
    fixture.componentInstance.chosen.subscribe((change) => {
      show({ ...choice, ...change });
    });
    fixture.componentInstance.cleared.subscribe(() => (cleared += 1));
  });

  afterEach(() => {
    application.destroy();
  });

  function show(next: ViewChoice): void {
    choice = next;
    fixture.componentRef.setInput('choice', choice);
    TestBed.tick();
  }

  function texts(): string[] {
    return [...element.querySelectorAll('[data-testid=chip]')].map((chip) => chip.textContent.trim());
  }

  function cross(place: number): HTMLElement {
    const found = element.querySelectorAll<HTMLElement>('[data-testid=remove-chip]')[place];
    if (found === undefined) throw new Error('there is no such chip');
    return found;
  }

  it('takes no room where nothing is chosen', () => {
    show(AS_IT_IS);
    expect(element.children).toHaveLength(0);
  });

  it('takes each thing back by its cross, and the focus goes to the next one', () => {
    show({
      ...AS_IT_IS,
      search: 'ada',
      filter: [{ column: 'age', is: 'null' }],
      sort: [{ column: 'name', direction: 'ascending' }],
    });
    expect(texts()).toEqual(['Search: “ada”', 'age is null', 'name ↑']);
    cross(1).click();
    TestBed.tick();
    expect(texts()).toEqual(['Search: “ada”', 'name ↑']);
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Remove name ↑');
    cross(1).click();
    TestBed.tick();
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Remove Search: “ada”');
    cross(0).click();
    TestBed.tick();
    expect([choice, cleared]).toEqual([AS_IT_IS, 1]);
  });

  it('resets everything, and says that the focus has to go somewhere', () => {
    show({ ...AS_IT_IS, search: 'ada', columns: [{ name: 'age', width: null }] });
    element.querySelector<HTMLElement>('[data-testid=clear-view]')?.click();
    expect([choice, cleared]).toEqual([AS_IT_IS, 1]);
  });

  it('can be reset where only a width was chosen, which has no chip', () => {
    show({
      ...AS_IT_IS,
      columns: [
        { name: 'name', width: 90 },
        { name: 'age', width: null },
      ],
    });
    expect(texts()).toEqual([]);
    expect(element.querySelector('[data-testid=clear-view]')).not.toBeNull();
  });

  it('says why the server does not show what was chosen', () => {
    show({ ...AS_IT_IS, search: 'ada' });
    fixture.componentRef.setInput('refusal', 'There is no text in this table to search.');
    TestBed.tick();
    expect(element.querySelector('[role=alert]')?.textContent).toContain('no text in this table to search');
  });
});
