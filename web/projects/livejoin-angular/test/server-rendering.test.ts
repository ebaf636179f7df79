import '@angular/compiler';
import '@angular/platform-server/init';
import { ChangeDetectionStrategy, Component, provideZonelessChangeDetection } from '@angular/core';
import { bootstrapApplication, type BootstrapContext } from '@angular/platform-browser';
import { provideServerRendering, renderApplication } from '@angular/platform-server';
import { injectConnection, injectLiveTable, LiveTableComponent, provideLivejoin } from 'livejoin-angular';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

@Component({
  selector: 'lj-example',
  imports: [LiveTableComponent],
  template: `
    <p>{{ connection.state().kind }}, {{ users.size() }} rows, {{ users.state().kind }}, {{ users.age() }}</p>
    <lj-live-table table="final_ui" label="Joined" />
  `,
  changeDetection: ChangeDetectionStrategy.OnPush,
})
class Example {
  protected readonly connection = injectConnection();
  protected readonly users = injectLiveTable('users_ui');
}

const opened = vi.fn();

beforeEach(() => {
  opened.mockReset();
  vi.stubGlobal('WebSocket', opened);
});

afterEach(() => {
  vi.unstubAllGlobals();
});

function rendered(): Promise<string> {
  const bootstrap = (context: BootstrapContext) =>
    bootstrapApplication(
      Example,
      {
        providers: [
          provideServerRendering(),
          provideZonelessChangeDetection(),
          provideLivejoin({ url: 'http://127.0.0.1:8080', key: 'the key' }),
        ],
      },
      context,
    );
  return renderApplication(bootstrap, { document: '<lj-example></lj-example>', url: '/' });
}

it('an application with live tables is rendered on a server, where nothing is opened and nothing is waited for', async () => {
  expect(typeof window, 'no browser is here').toBe('undefined');
  const timers = vi.spyOn(globalThis, 'setInterval');
  const html = await rendered();
  expect(html).toContain('idle, 0 rows, loading');
  expect(html).toContain('aria-label="Joined"');
  expect(html).not.toContain('the key');
  expect(opened).not.toHaveBeenCalled();
  expect(timers).not.toHaveBeenCalled();
});
