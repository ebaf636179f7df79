import {
  Directive,
  type EmbeddedViewRef,
  inject,
  input,
  type OnChanges,
  type TemplateRef,
  ViewContainerRef,
} from '@angular/core';
import type { CellContext } from './cell-template';

/** Draws a cell with a template of the application. It stays while the value changes. */
@Directive({ selector: '[ljCellOutlet]' })
export class CellOutlet implements OnChanges {
  readonly ljCellOutlet = input.required<TemplateRef<CellContext>>();
  readonly ljCellContext = input.required<CellContext>();
  readonly #container = inject(ViewContainerRef);
  #drawn: { template: TemplateRef<CellContext>; view: EmbeddedViewRef<CellContext> } | null = null;

  ngOnChanges(): void {
    const template = this.ljCellOutlet();
    const context = this.ljCellContext();
    if (this.#drawn?.template !== template) {
      this.#container.clear();
      this.#drawn = { template, view: this.#container.createEmbeddedView(template, { ...context }) };
      return;
    }
    Object.assign(this.#drawn.view.context, context);
    this.#drawn.view.markForCheck();
  }
}
