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
    const note = element.querySelector<HTMLElement>('[role=status]');
    return [note?.dataset['state'], note?.textContent];
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
  });

  it('leaves nothing open when it goes away', async () => {
    await application.draw();
    fixture.destroy();
    await application.environment.pass(2_000);
    expect(application.server.openHandles).toHaveLength(0);
  });
});
