import '@angular/compiler';
import { provideZonelessChangeDetection } from '@angular/core';
import { getTestBed, TestBed } from '@angular/core/testing';
import { BrowserTestingModule, platformBrowserTesting } from '@angular/platform-browser/testing';
import { FakeEnvironment, FakeTableServer, provideFakeLivejoin, settle } from 'livejoin-angular/testing';

getTestBed().initTestEnvironment(BrowserTestingModule, platformBrowserTesting());

// A document in memory has no layer above the others; the real one is tried in Chromium.
if (typeof HTMLElement !== 'undefined') {
  HTMLElement.prototype.showPopover = () => undefined;
  HTMLElement.prototype.hidePopover = function (this: HTMLElement) {
    this.dispatchEvent(Object.assign(new Event('toggle'), { newState: 'closed' }));
  };
}

/** An application with a hub at a server in memory, where a test says what time it is. */
export class FakeApplication {
  readonly environment = new FakeEnvironment();
  readonly server = new FakeTableServer();

  constructor() {
    TestBed.resetTestingModule();
    TestBed.configureTestingModule({
      providers: [provideZonelessChangeDetection(), provideFakeLivejoin(this.server, this.environment)],
    });
  }

  /** What `make` returns, made in the application's injector and brought up to date. */
  async inject<T>(make: () => T): Promise<T> {
    const made = TestBed.runInInjectionContext(make);
    await this.draw();
    return made;
  }

  /** Runs effects, lets the server answer, and paints. */
  async draw(): Promise<void> {
    for (let turn = 0; turn < 3; turn += 1) {
      TestBed.tick();
      await settle();
      this.environment.paint();
    }
    TestBed.tick();
  }

  destroy(): void {
    TestBed.resetTestingModule();
  }
}
