import {
  afterNextRender,
  ChangeDetectionStrategy,
  Component,
  type ElementRef,
  inject,
  viewChild,
} from '@angular/core';
import { Glyph, ZoneSwitch } from 'livejoin-angular';
import { ControlLogList } from './control-log-list';
import { ControlPanelState, type ControlTab } from './control-panel-state';
import { DeadLetterList } from './dead-letter-list';
import { SwapDraft } from './swap-draft';
import { SwapForm } from './swap-form';

/**
 * Over the tables of the sources and not in a modal way: who swaps wants to see what happens. The tables keep their
 * widths, and the head of the page stays free, with what is being told there.
 */
@Component({
  selector: 'lj-control-panel',
  imports: [ControlLogList, DeadLetterList, Glyph, SwapForm, ZoneSwitch],
  templateUrl: './control-panel.html',
  styleUrl: './control-panel.css',
  // Of the whole page: a button that is disabled by its own click has lost the focus to nobody.
  host: { '(document:keydown.escape)': 'escape($event)' },
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class ControlPanel {
  protected readonly state = inject(ControlPanelState);
  protected readonly tab = this.state.tab;
  protected readonly tabs: readonly { readonly name: ControlTab; readonly label: string }[] = [
    { name: 'control', label: 'Swap and log' },
    { name: 'letters', label: 'Dead letters' },
  ];
  protected readonly sentId = inject(SwapDraft).sentId;
  private readonly panel = viewChild.required<ElementRef<HTMLElement>>('panel');

  constructor() {
    afterNextRender(() => {
      this.panel().nativeElement.focus();
    });
  }

  /** What lies above the panel, or is open in a table, takes the key first. */
  protected escape(event: Event): void {
    if (event.defaultPrevented) return;
    event.preventDefault();
    this.state.close();
  }

  /** Two tabs: either arrow leads to the other one. */
  protected turn(event: Event): void {
    event.preventDefault();
    this.tab.update((tab) => (tab === 'control' ? 'letters' : 'control'));
    this.panel().nativeElement.querySelector<HTMLElement>(`#tab-${this.tab()}`)?.focus();
  }
}
