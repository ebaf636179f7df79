import { ChangeDetectionStrategy, Component, computed, input, output } from '@angular/core';
import type { GridPosition } from 'livejoin-angular';

const COUNT = new Intl.NumberFormat('en');

/** Where in the table the rows on the screen are, and the ways to other ones. */
@Component({
  selector: 'lj-table-pages',
  templateUrl: './table-pages.html',
  styleUrl: './table-pages.css',
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class TablePages {
  readonly heading = input.required<string>();
  readonly position = input.required<GridPosition>();
  readonly size = input.required<number>();
  /** Said instead of the place, for as long as it matters. */
  readonly note = input('');
  readonly isWarning = input(false);
  readonly isRefreshing = input(false);
  readonly jumped = output<number>();
  readonly refreshed = output();

  protected readonly range = computed(() => {
    if (this.size() === 0) return '';
    const { first, last } = this.position().readable();
    return `${COUNT.format(first + 1)}–${COUNT.format(last + 1)}`;
  });

  protected jump(event: Event): void {
    event.preventDefault();
    const field = (event.currentTarget as HTMLFormElement).elements.namedItem('row') as HTMLInputElement;
    const row = Math.min(this.size(), Math.max(1, Math.round(Number(field.value))));
    if (field.value === '' || !Number.isFinite(row) || this.size() === 0) return;
    this.jumped.emit(row - 1);
    field.value = '';
  }
}
