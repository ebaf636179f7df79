import { ChangeDetectionStrategy, Component, computed, inject } from '@angular/core';
import { Access } from '../access/access';
import { Clock } from '../clock';
import { Glyph } from '../glyph';
import { connectionText } from './connection-text';

@Component({
  selector: 'lj-connection-badge',
  imports: [Glyph],
  templateUrl: './connection-badge.html',
  styleUrl: './connection-badge.css',
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class ConnectionBadge {
  readonly #access = inject(Access);
  readonly #clock = inject(Clock);
  protected readonly state = this.#access.state;
  protected readonly text = computed(() => connectionText(this.state(), this.#clock.now()));

  protected retryNow(): void {
    this.#access.retryNow();
  }
}
