// @vitest-environment happy-dom
import { FakeApplication } from './angular';
import { ChangeDetectionStrategy, Component, ErrorHandler } from '@angular/core';
import { TestBed } from '@angular/core/testing';
import { injectLiveTable } from 'livejoin-angular';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

@Component({
  selector: 'lj-first',
  template: `{{ text() }}`,
  changeDetection: ChangeDetectionStrategy.OnPush,
})
class First {
  readonly live = injectLiveTable('users_ui');

  protected text(): string {
    const [cell] = this.live.rows()[0]?.cells ?? [];
    if (cell === 'broken') throw new Error('a mistake of the application');
    return String(cell);
  }
}

let application: FakeApplication;

beforeEach(() => {
  application = new FakeApplication();
  application.server.show('users_ui', [['u0', 0]]);
});

afterEach(() => {
  application.destroy();
});

it('draws rows in the frame in which they are delivered', async () => {
  const fixture = TestBed.createComponent(First);
  await application.draw();
  const element = fixture.nativeElement as HTMLElement;
  for (const name of ['u1', 'u2', 'u3']) {
    application.server.show('users_ui', [[name, 1]]);
    expect(application.environment.pendingFrames).toBe(1);
    application.environment.paint();
    expect(element.textContent, 'drawn before the frame is over, and not by a later one').toBe(name);
    expect(application.environment.pendingFrames).toBe(0);
  }
});

it('tells an application that cannot be drawn to whoever handles its errors', async () => {
  const handleError = vi.fn();
  TestBed.overrideProvider(ErrorHandler, { useValue: { handleError } });
  TestBed.createComponent(First);
  await application.draw();
  application.server.show('users_ui', [['broken', 1]]);
  application.environment.paint();
  expect(handleError).toHaveBeenCalledOnce();
});
