// @vitest-environment happy-dom
import { FakeApplication } from '../../projects/livejoin-angular/test/angular';
import { ChangeDetectionStrategy, Component, signal } from '@angular/core';
import { TestBed, type ComponentFixture } from '@angular/core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FocusThen } from '../../src/app/focus-then';

@Component({
  selector: 'lj-stage',
  imports: [FocusThen],
  template: `
    @if (isThere()) {
      <button id="goes" type="button" [ljFocusThen]="then" (click)="isThere.set(false)">goes</button>
    } @else {
      <button id="comes" type="button">comes</button>
    }
    <button id="stays" type="button">stays</button>
  `,
  changeDetection: ChangeDetectionStrategy.OnPush,
})
class Stage {
  readonly isThere = signal(true);
  readonly then = (): void => {
    document.querySelector<HTMLElement>('#comes')?.focus();
  };
}

describe('the focus of what goes by its own click', () => {
  let application: FakeApplication;
  let fixture: ComponentFixture<Stage>;

  beforeEach(() => {
    application = new FakeApplication();
    fixture = TestBed.createComponent(Stage);
    document.body.append(fixture.nativeElement as HTMLElement);
    fixture.detectChanges();
  });

  afterEach(() => {
    (fixture.nativeElement as HTMLElement).remove();
    application.destroy();
  });

  function element(id: string): HTMLElement {
    const found = document.querySelector<HTMLElement>(`#${id}`);
    if (found === null) throw new Error(`there is no ${id}`);
    return found;
  }

  it('goes on where it is told to', async () => {
    element('goes').focus();
    element('goes').click();
    fixture.detectChanges();
    await Promise.resolve();
    expect(document.activeElement?.id).toBe('comes');
  });

  it('is left alone where it was elsewhere', async () => {
    element('goes').focus();
    element('stays').focus();
    fixture.componentInstance.isThere.set(false);
    fixture.detectChanges();
    await Promise.resolve();
    expect(document.activeElement?.id).toBe('stays');
  });
});
