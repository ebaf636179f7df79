// @vitest-environment happy-dom
/* eslint-disable @angular-eslint/prefer-on-push-component-change-detection, @typescript-eslint/no-extraneous-class --
   the application of somebody whose components are all checked whenever Angular checks anything */
import 'zone.js';
import './angular';
import { ApplicationRef, Component, NgZone, provideZoneChangeDetection, type DoCheck } from '@angular/core';
import { TestBed, type ComponentFixture } from '@angular/core/testing';
import { injectLiveTable, LiveTableComponent } from 'livejoin-angular';
import { browserEnvironment } from 'livejoin-client';
import { FakeTableServer, provideFakeLivejoin } from 'livejoin-angular/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { outsideZone } from '../src/outside-zone';

let checks = 0;

@Component({ selector: 'lj-counter', template: '' })
class Counter implements DoCheck {
  ngDoCheck(): void {
    checks += 1;
  }
}

@Component({ selector: 'lj-first', template: `{{ live.rows()[0]?.cells?.[0] }}` })
class First {
  protected readonly live = injectLiveTable('users_ui');
}

@Component({
  imports: [Counter, First, LiveTableComponent],
  template: `<lj-counter /><lj-first /><lj-live-table table="users_ui" />`,
})
class Application {}

/** With the frames and timers of the browser, because those are what zone.js patches. */
describe('an application with zone.js', () => {
  let server: FakeTableServer;
  let fixture: ComponentFixture<Application>;

  beforeEach(async () => {
    server = new FakeTableServer();
    server.show('users_ui', [['u0', 0]]);
    TestBed.resetTestingModule();
    TestBed.configureTestingModule({
      providers: [provideZoneChangeDetection(), provideFakeLivejoin(server)],
    });
    fixture = TestBed.createComponent(Application);
    fixture.autoDetectChanges();
    await shows('u0');
  });

  afterEach(() => {
    TestBed.resetTestingModule();
  });

  async function shows(text: string): Promise<void> {
    const element = fixture.nativeElement as HTMLElement;
    await vi.waitFor(() => {
      expect(element.querySelector('lj-first')?.textContent).toBe(text);
      expect(element.querySelector('[data-column=id]')?.textContent.trim()).toBe(text);
    });
  }

  it('has zone.js', () => {
    expect(NgZone.isInAngularZone()).toBe(false);
    TestBed.inject(NgZone).run(() => {
      expect(NgZone.isInAngularZone()).toBe(true);
    });
  });

  it('is checked once for every frame with news, as any signal makes Angular do beside zone.js', async () => {
    const before = checks;
    for (const name of ['u1', 'u2', 'u3', 'u4', 'u5']) {
      server.show('users_ui', [[name, 1]]);
      await shows(name);
    }
    expect(checks - before).toBe(5);
  });

  it('draws rows in the frame in which they are delivered, in the zone', async () => {
    const element = fixture.nativeElement as HTMLElement;
    const frames: FrameRequestCallback[] = [];
    vi.spyOn(window, 'requestAnimationFrame').mockImplementation((run) => frames.push(run));
    const before = checks;
    server.show('users_ui', [['at once', 1]]);
    expect(frames).toHaveLength(1);
    frames[0]?.(0);
    expect(element.querySelector('lj-first')?.textContent).toBe('at once');
    expect(checks - before).toBe(1);
    vi.restoreAllMocks();
    await TestBed.inject(ApplicationRef).whenStable();
    expect(checks - before, 'nothing is left for a later frame').toBe(1);
  });

  it('is not checked for rows that nothing on the screen reads', async () => {
    server.show('final_ui', [['f0', 0]]);
    const unread = TestBed.runInInjectionContext(() => injectLiveTable('final_ui'));
    await vi.waitFor(() => {
      expect(unread.rows()).toHaveLength(1);
    });
    await TestBed.inject(ApplicationRef).whenStable();
    const before = checks;
    server.show('final_ui', [['f1', 1]]);
    await vi.waitFor(() => {
      expect(unread.rows()[0]?.cells[0]).toBe('f1');
    });
    await TestBed.inject(ApplicationRef).whenStable();
    expect(checks).toBe(before);
  });

  it('hears its socket without being checked, in whatever zone it was opened', () => {
    let raw = new EventTarget();
    vi.stubGlobal('WebSocket', function () {
      return (raw = new EventTarget());
    });
    const zone = TestBed.inject(NgZone);
    const environments = [browserEnvironment(), outsideZone(browserEnvironment(), zone, () => undefined)];
    const zones = environments.map((environment) => {
      const heard: boolean[] = [];
      const note = (): void => {
        heard.push(NgZone.isInAngularZone());
      };
      zone.run(() => environment.openSocket('ws://host', { opened: note, heard: note, closed: note }));
      for (const event of ['open', 'message', 'close']) raw.dispatchEvent(new Event(event));
      return heard;
    });
    vi.unstubAllGlobals();
    expect(zones).toEqual([
      [true, true, true],
      [false, false, false],
    ]);
  });

  it('is stable while tables are live, so that nobody who waits for it waits for ever', async () => {
    await TestBed.inject(ApplicationRef).whenStable();
    expect(server.openHandles).toHaveLength(1);
  });
});
