// @vitest-environment happy-dom
import { FakeApplication } from '../angular';
import { ChangeDetectionStrategy, Component } from '@angular/core';
import { TestBed } from '@angular/core/testing';
import { CellTemplate, LiveTableComponent } from 'livejoin-angular';
import { afterEach, beforeEach, expect, it } from 'vitest';

@Component({
  selector: 'lj-drawn-accounts',
  imports: [CellTemplate, LiveTableComponent],
  template: `
    <lj-live-table [table]="table">
      <ng-template ljCell="amount" let-value let-text="text" let-row="row">
        <b [title]="value">{{ text }} of {{ row.cells[0] }}</b>
      </ng-template>
    </lj-live-table>
  `,
  changeDetection: ChangeDetectionStrategy.OnPush,
})
class DrawnAccounts {
  protected readonly table = 'users_ui';
}

let application: FakeApplication;

beforeEach(() => {
  application = new FakeApplication();
});

afterEach(() => {
  application.destroy();
});

it('a template draws the cells of its column, and is not made anew when their value changes', async () => {
  application.server.show('users_ui', [['ada', 1]]);
  const element = TestBed.createComponent(DrawnAccounts).nativeElement as HTMLElement;
  await application.draw();
  const drawn = element.querySelector('b');
  expect([drawn?.textContent, drawn?.title]).toEqual(['1.00 of ada', '1']);
  expect(element.querySelector('[data-column=id]')?.textContent.trim()).toBe('ada');
  application.server.show('users_ui', [['ada', 7]]);
  await application.draw();
  expect(element.querySelector('b')).toBe(drawn);
  expect([drawn?.textContent, drawn?.title]).toEqual(['7.00 of ada', '7']);
});
