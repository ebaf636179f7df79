import { provideBrowserGlobalErrorListeners, provideZonelessChangeDetection } from '@angular/core';
import { bootstrapApplication } from '@angular/platform-browser';
import { provideLivejoin, withTimings } from 'livejoin-angular';
import { App } from './app/app';
import { loadPageConfig, PAGE_CONFIG } from './app/page-config';

const config = await loadPageConfig();

await bootstrapApplication(App, {
  providers: [
    provideZonelessChangeDetection(),
    provideBrowserGlobalErrorListeners(),
    provideLivejoin({ url: config.url }, withTimings(config.timings)),
    { provide: PAGE_CONFIG, useValue: config },
  ],
});
