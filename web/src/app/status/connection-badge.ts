import { ChangeDetectionStrategy, Component, type ElementRef, inject, viewChild } from '@angular/core';
import { Glyph } from 'livejoin-angular';
import { Access } from '../access/access';
import { FocusThen } from '../focus-then';
import { LivenessWatch } from './liveness-watch';

@Component({
  selector: 'lj-connection-badge',
  imports: [FocusThen, Glyph],
  templateUrl: './connection-badge.html',
  styleUrl: './connection-badge.css',
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class ConnectionBadge {
  readonly #access = inject(Access);
  protected readonly liveness = inject(LivenessWatch).value;

  private readonly badge = viewChild.required<ElementRef<HTMLElement>>('badge');

  /** Where it is told what became of it. */
  protected readonly focusBadge = (): void => {
    this.badge().nativeElement.focus();
  };

  protected retryNow(): void {
    this.#access.retryNow();
  }
}
