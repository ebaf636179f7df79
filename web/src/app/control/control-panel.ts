import {
  afterNextRender,
  ChangeDetectionStrategy,
  Component,
  type ElementRef,
  inject,
  signal,
  viewChild,
} from '@angular/core';
import { Glyph } from '../glyph';
import { ControlLog } from './control-log';
import { ControlLogList } from './control-log-list';
import { ControlPanelState } from './control-panel-state';
import { DeadLetterList } from './dead-letter-list';
import { SwapForm } from './swap-form';

/** Beside the tables and not over them in a modal way: who swaps wants to see what happens. */
@Component({
  selector: 'lj-control-panel',
  imports: [ControlLogList, DeadLetterList, Glyph, SwapForm],
  providers: [ControlLog],
  templateUrl: './control-panel.html',
  styleUrl: './control-panel.css',
  // Of the whole page: a button that is disabled by its own click has lost the focus to nobody.
  host: { '(document:keydown.escape)': 'state.close()' },
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class ControlPanel {
  protected readonly state = inject(ControlPanelState);
  protected readonly tab = signal<'control' | 'letters'>('control');
  private readonly panel = viewChild.required<ElementRef<HTMLElement>>('panel');

  constructor() {
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
