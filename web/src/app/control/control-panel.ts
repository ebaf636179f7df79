import {
  afterNextRender,
  ChangeDetectionStrategy,
  Component,
  DestroyRef,
  type ElementRef,
  inject,
  signal,
  viewChild,
} from '@angular/core';
import { Glyph } from '../glyph';
import { SwapBar } from '../status/swap-bar';
import { ControlLog } from './control-log';
import { ControlLogList } from './control-log-list';
import { ControlPanelState } from './control-panel-state';
import { DeadLetterList } from './dead-letter-list';
import { SwapForm } from './swap-form';

/** Beside the tables and not over them in a modal way: who swaps wants to see what happens. */
@Component({
  selector: 'lj-control-panel',
  imports: [ControlLogList, DeadLetterList, Glyph, SwapBar, SwapForm],
  providers: [ControlLog],
  templateUrl: './control-panel.html',
  styleUrl: './control-panel.css',
  // Of the whole page: a button that is disabled by its own click has lost the focus to nobody.
  host: { '(document:keydown.escape)': 'state.close()' },
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class ControlPanel {
  protected readonly state = inject(ControlPanelState);
  /** It covers the page there, and with it the way back. */
  protected readonly isNarrow = signal(false);
  protected readonly tab = this.state.tab;
  private readonly panel = viewChild.required<ElementRef<HTMLElement>>('panel');

  constructor() {
    const narrow = matchMedia('(width < 64rem)');
    const look = (): void => {
      this.isNarrow.set(narrow.matches);
    };
    look();
    narrow.addEventListener('change', look);
    inject(DestroyRef).onDestroy(() => {
      narrow.removeEventListener('change', look);
    });
    afterNextRender(() => {
      this.panel().nativeElement.focus();
    });
  }

  /** Two tabs: either arrow leads to the other one. */
  protected turn(event: Event): void {
    event.preventDefault();
    this.tab.update((tab) => (tab === 'control' ? 'letters' : 'control'));
    this.panel().nativeElement.querySelector<HTMLElement>(`#tab-${this.tab()}`)?.focus();
  }
}
