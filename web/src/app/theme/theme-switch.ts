import { ChangeDetectionStrategy, Component, inject } from '@angular/core';
import { Theme } from './theme';

@Component({
  selector: 'lj-theme-switch',
  template: `
    <button
      type="button"
      class="quiet icon"
      role="switch"
      [attr.aria-checked]="theme.isDark()"
      aria-label="Dark colours"
      title="Dark or light"
      (click)="theme.toggle()"
    >
      <svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true">
        <circle cx="10" cy="10" r="7" fill="none" stroke="currentColor" stroke-width="1.6" />
        <path d="M10 3a7 7 0 0 1 0 14z" fill="currentColor" />
      </svg>
    </button>
  `,
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class ThemeSwitch {
  protected readonly theme = inject(Theme);
}
