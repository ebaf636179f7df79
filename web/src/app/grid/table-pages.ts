import { ChangeDetectionStrategy, Component, computed, input, output } from '@angular/core';
import type { GridPosition } from 'livejoin-angular';
import { Glyph } from '../glyph';

const COUNT = new Intl.NumberFormat('en');

const PAGES = [
  { name: 'First page', to: 'first', isBack: true, glyph: 'M12 3.5 7.5 8l4.5 4.5M4 3.5v9' },
  { name: 'Previous page', to: 'previous', isBack: true, glyph: 'M10 3.5 5.5 8l4.5 4.5' },
  { name: 'Next page', to: 'next', isBack: false, glyph: 'M6 3.5 10.5 8 6 12.5' },
  { name: 'Last page', to: 'last', isBack: false, glyph: 'M4 3.5 8.5 8 4 12.5M12 3.5v9' },
] as const;

/** Where in the table the rows on the screen are, and the ways to other ones. */
@Component({
  selector: 'lj-table-pages',
  imports: [Glyph],
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

  protected readonly pages = PAGES;
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
