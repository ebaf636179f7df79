import { ChangeDetectionStrategy, Component, inject } from '@angular/core';
import { Glyph } from 'livejoin-angular';
import { Access } from '../access/access';
import { LivenessWatch } from './liveness-watch';

@Component({
  selector: 'lj-connection-badge',
  imports: [Glyph],
  templateUrl: './connection-badge.html',
  styleUrl: './connection-badge.css',
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class ConnectionBadge {
  readonly #access = inject(Access);
  protected readonly liveness = inject(LivenessWatch).value;

  protected retryNow(): void {
    this.#access.retryNow();
  }
}
