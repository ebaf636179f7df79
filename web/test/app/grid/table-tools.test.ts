// @vitest-environment happy-dom
import { FakeApplication } from '../../../projects/livejoin-angular/test/angular';
import { TestBed } from '@angular/core/testing';
import { Pause, type ViewSnapshot } from 'livejoin-angular';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TableTools } from '../../../src/app/grid/table-tools';

const emptySnapshot = { size: 0, rows: [] } as unknown as ViewSnapshot;

describe('the export button', () => {
  let application: FakeApplication;

  beforeEach(() => {
    application = new FakeApplication();
  });

  afterEach(() => {
    application.destroy();
  });

  /** Whether a click on it asks for anything, and what it says. */
  function button(given: { mayExport?: boolean; isExporting?: boolean }): readonly unknown[] {
    const fixture = TestBed.createComponent(TableTools);
    const inputs = { mayExport: true, isExporting: false, ...given };
    const pause = new Pause(
      () => emptySnapshot,
      () => ({ first: 0, last: 0 }),
    );
    const usual = { heading: 'Users', pause, isMaximised: false, isListed: false, isExportAsked: false };
    for (const [name, value] of Object.entries({ ...usual, ...inputs })) {
      fixture.componentRef.setInput(name, value);
    }
    let asked = 0;
    fixture.componentInstance.exportAsked.subscribe(() => (asked += 1));
    fixture.detectChanges();
    const element = fixture.nativeElement as HTMLElement;
    const found = element.querySelector<HTMLButtonElement>('[data-testid=export]');
    found?.click();
    // Never disabled, or the focus would be lost by its own click.
    expect(found?.disabled).toBe(false);
    expect(found?.getAttribute('aria-disabled')).toBe(asked === 0 ? 'true' : 'false');
    return [asked === 1, found?.title];
  }

  it('exports what is seen', () => {
    expect(button({})).toEqual([true, 'Export these rows']);
  });

  it('waits while a file is made', () => {
    expect(button({ isExporting: true })).toEqual([false, 'Export these rows']);
  });

  it('says why it is of no use where the key may not export', () => {
    expect(button({ mayExport: false })).toEqual([false, 'This key may look, and not export']);
  });
});
