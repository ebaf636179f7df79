import { computed, DOCUMENT, effect, inject, Injectable, signal } from '@angular/core';
import { lastingStore } from '../browser-store';

type Choice = 'system' | 'light' | 'dark';

const ITEM = 'livejoin.theme';

/** Follows the system until the person decides otherwise. */
@Injectable({ providedIn: 'root' })
export class Theme {
  readonly #root = inject(DOCUMENT).documentElement;
  readonly #system = matchMedia('(prefers-color-scheme: dark)');
  readonly #systemIsDark = signal(this.#system.matches);
  readonly #choice = signal<Choice>(remembered());
  readonly isDark = computed(() =>
    this.#choice() === 'system' ? this.#systemIsDark() : this.#choice() === 'dark',
  );

  constructor() {
    this.#system.addEventListener('change', ({ matches }) => {
      this.#systemIsDark.set(matches);
    });
    effect(() => {
      this.#root.dataset['theme'] = this.#choice();
    });
  }

  toggle(): void {
    const next = this.isDark() ? 'light' : 'dark';
    const systemSaysSo = this.#systemIsDark() === (next === 'dark');
    this.#choice.set(systemSaysSo ? 'system' : next);
    lastingStore.write(ITEM, this.#choice());
  }
}

function remembered(): Choice {
  const item = lastingStore.read(ITEM);
  return item === 'light' || item === 'dark' ? item : 'system';
}
