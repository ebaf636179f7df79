import { Component, provideZonelessChangeDetection } from '@angular/core';
import { bootstrapApplication } from '@angular/platform-browser';
import { provideRouter, RouterLink, RouterOutlet, withHashLocation } from '@angular/router';
import { injectConnection, provideLivejoin, withTimings } from 'livejoin-angular';

@Component({
  selector: 'app-root',
  imports: [RouterLink, RouterOutlet],
  template: `
    <p id="connection">{{ connection.state().kind }}</p>
    <a routerLink="/users">users</a>
    <a routerLink="/accounts">accounts</a>
    <router-outlet />
  `,
})
class Routed {
  protected readonly connection = injectConnection();
}

const address = new URLSearchParams(location.search);
const [url, key] = ['url', 'key'].map((name) => address.get(name) ?? '');

void bootstrapApplication(Routed, {
  providers: [
    provideZonelessChangeDetection(),
    provideRouter(
      [
        { path: 'users', loadComponent: () => import('./users-route') },
        { path: 'accounts', loadComponent: () => import('./accounts-route') },
      ],
      withHashLocation(),
    ),
    provideLivejoin({ url, key }, withTimings({ lingerMs: 5 })),
  ],
}).then((application) => {
  Object.assign(window, {
    endApplication: () => {
      application.destroy();
    },
  });
});
