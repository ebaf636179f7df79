import { provideBrowserGlobalErrorListeners, provideZonelessChangeDetection } from '@angular/core';
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
    provideLivejoin({ url: ownAddress(document.baseURI) }),
  ],
});
