import { provideBrowserGlobalErrorListeners, provideZonelessChangeDetection } from '@angular/core';
import { bootstrapApplication } from '@angular/platform-browser';
import { provideLivejoin } from 'livejoin-angular';
import { App } from './app/app';
import { loadPageConfig, ownAddress, PAGE_CONFIG } from './app/page-config';

const config = await loadPageConfig();

await bootstrapApplication(App, {
  providers: [
    provideZonelessChangeDetection(),
    provideBrowserGlobalErrorListeners(),
    provideLivejoin({ url: ownAddress(document.baseURI) }),
    { provide: PAGE_CONFIG, useValue: config },
  ],
});
