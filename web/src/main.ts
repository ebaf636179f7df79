import { LOCALE_ID, provideBrowserGlobalErrorListeners, provideZonelessChangeDetection } from '@angular/core';
import { bootstrapApplication } from '@angular/platform-browser';
import { provideLivejoin } from 'livejoin-angular';
import { App } from './app/app';
import { fontArrival } from './app/font-arrival';
import { ownAddress } from './app/own-address';

await fontArrival(document.fonts, '1em Inter');
await bootstrapApplication(App, {
  providers: [
    provideZonelessChangeDetection(),
    provideBrowserGlobalErrorListeners(),
    // Numbers are written as the person is used to.
    { provide: LOCALE_ID, useValue: navigator.language },
    provideLivejoin({ url: ownAddress(document.baseURI) }),
  ],
});
