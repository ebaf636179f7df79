// @vitest-environment happy-dom
import { FakeApplication } from '../angular';
import { TestBed, type ComponentFixture } from '@angular/core/testing';
import { GridPosition, provideLivejoinWords, TablePager } from 'livejoin-angular';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

describe('<lj-table-pager>', () => {
  let application: FakeApplication;
  let fixture: ComponentFixture<TablePager>;
  let element: HTMLElement;
  let position: GridPosition;

  beforeEach(() => {
    application = new FakeApplication();
    TestBed.configureTestingModule({ providers: [provideLivejoinWords({ nextPage: 'Nächste Seite' })] });
    position = new GridPosition(() => 2_000);
    position.bodyHeight.set(280);
    position.first();
    fixture = TestBed.createComponent(TablePager);
    element = fixture.nativeElement as HTMLElement;
    document.body.append(element);
    const inputs = { label: 'People', position, size: 2_000 };
    for (const [name, value] of Object.entries(inputs)) fixture.componentRef.setInput(name, value);
    fixture.detectChanges();
  });

  afterEach(() => {
    application.destroy();
  });

  function button(name: string): HTMLElement {
    const found = element.querySelector<HTMLElement>(`[aria-label="${name}"]`);
    if (found === null) throw new Error(`there is no button ${name}`);
    return found;
  }

  function press(name: string): void {
    button(name).focus();
    button(name).click();
    fixture.detectChanges();
  }

  it('turns pages and says where they are', () => {
    press('Last page');
    expect(element.querySelector('[data-testid=range]')?.textContent).toBe('1,991–2,000');
    press('Previous page');
    expect(element.querySelector('[data-testid=range]')?.textContent).toBe('1,981–1,990');
  });

  it('keeps the focus on a button that leads no further, and does nothing by it', () => {
    press('Nächste Seite');
    press('First page');
    expect(document.activeElement).toBe(button('First page'));
    expect(button('First page').getAttribute('aria-disabled')).toBe('true');
    press('First page');
    expect(position.top()).toBe(0);
  });

  it('has the words of the application, and English for the rest', () => {
    expect([button('Nächste Seite').title, button('Refresh').title]).toEqual([
      'Nächste Seite',
      'Fetch the rows again',
    ]);
  });

  it('goes to a row by its number, and to the nearest where there is none', () => {
    const rows: number[] = [];
    fixture.componentInstance.jumped.subscribe((row) => rows.push(row));
    const field = element.querySelector<HTMLInputElement>('[data-testid=jump]');
    for (const text of ['17', '9999', '']) {
      if (field !== null) field.value = text;
      element.querySelector('form')?.dispatchEvent(new Event('submit'));
    }
    expect(rows).toEqual([16, 1_999]);
  });
});
