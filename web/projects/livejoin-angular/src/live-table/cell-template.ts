import { Directive, inject, input, TemplateRef } from '@angular/core';
import type { CellValue, LiveRow } from 'livejoin-client';

/** What a template for cells is given: `let-value`, `let-text="text"`, `let-row="row"`. */
export interface CellContext {
  readonly $implicit: CellValue;
  /** As the table would have written it. */
  readonly text: string;
  readonly row: LiveRow;
}

/** `<ng-template ljCell="total" let-value>`: how the cells of that column are drawn. */
@Directive({ selector: 'ng-template[ljCell]' })
export class CellTemplate {
  readonly ljCell = input.required<string>();
  readonly template = inject<TemplateRef<CellContext>>(TemplateRef);

  /** Lets the compiler of templates know what they are given. */
  static ngTemplateContextGuard(_: CellTemplate, context: unknown): context is CellContext {
    return context !== null;
  }
}
