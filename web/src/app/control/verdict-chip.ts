import { ChangeDetectionStrategy, Component, input } from '@angular/core';

/** A verdict by its word; the colour only helps to find it. */
@Component({
  selector: 'lj-verdict-chip',
  template: `<span [attr.data-verdict]="verdict()">{{ verdict() || 'working' }}</span>`,
  styles: `
    span {
      --tone: var(--ink-soft);
      padding: 0.0625rem 0.5rem;
      font-size: 0.75rem;
      font-weight: 600;
      color: var(--tone);
      white-space: nowrap;
      background: color-mix(in srgb, var(--tone) 12%, transparent);
      border-radius: 99rem;
    }
    [data-verdict='applied'] {
      --tone: var(--joined);
    }
    [data-verdict='rejected'],
    [data-verdict='failed'] {
      --tone: var(--danger);
    }
    [data-verdict=''] {
      --tone: var(--attention);
    }
  `,
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class VerdictChip {
  readonly verdict = input.required<string>();
}
