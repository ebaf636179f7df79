import {
  ChangeDetectionStrategy,
  Component,
  computed,
  inject,
  input,
  linkedSignal,
  output,
} from '@angular/core';
import type { Column } from 'livejoin-client';
import { LivejoinFormats, type CellFormat } from '../formats';
import { isNumeric } from '../live-table/cell-text';
import {
  conditionsOf,
  draftOf,
  fieldsOf,
  isFault,
  questionsFor,
  type DraftFault,
  type DraftField,
  type FilterDraft,
} from '../table-view/filter-draft';
import type { ConditionName, TypedFilter } from '../table-view/typed-filter';
import { numberShown } from '../table-view/typed-number';
import { injectWords } from '../words';
import { PARTS_STYLE } from './parts-style';
import { injectTyping } from './typing';

/** Of a number, in which everything is that people write in different ways. */
const EXAMPLE = '-1234.5';

let filters = 0;

/** Fields for a filter on one column, of the kind of the column. What is wrong is said where it is typed. */
@Component({
  selector: 'lj-column-filter',
  template: `
    <fieldset>
      <legend>{{ words.filter }}</legend>
      <select
        [attr.aria-label]="words.fieldOf(column().name, words.filter)"
        [attr.data-testid]="'asks-' + column().name"
        (change)="ask($event)"
      >
        @for (name of questions(); track name) {
          <option [value]="name" [selected]="draft().asks === name">{{ words.conditions[name] }}</option>
        }
      </select>
      <div class="fields">
        @for (field of fields(); track field) {
          <input
            [type]="column().kind === 'date' ? 'date' : 'text'"
            [attr.inputmode]="isNumeric() ? 'decimal' : null"
            autocomplete="off"
            spellcheck="false"
            [placeholder]="hintOf(field)"
            [attr.data-autofocus]="isAskedFor() && $first ? '' : null"
            [attr.aria-label]="words.fieldOf(column().name, hintOf(field))"
            [attr.aria-invalid]="faulty().includes(field) ? 'true' : null"
            [attr.aria-describedby]="message() === null ? null : id"
            [attr.data-testid]="field + '-' + column().name"
            [value]="draft()[field]"
            (input)="type(field, $event)"
            (change)="type(field, $event)"
            (keydown.enter)="type(field, $event); done.emit()"
          />
        }
      </div>
      @if (message(); as text) {
        <p [id]="id" role="alert" data-testid="filter-fault">{{ text }}</p>
      }
      @if (conditions().length > 0) {
        <button type="button" [attr.data-testid]="'unfilter-' + column().name" (click)="remove()">
          {{ words.removeFilter }}
        </button>
      }
    </fieldset>
  `,
  styles: [
    PARTS_STYLE,
    `
      fieldset {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        gap: 0.375rem;
        min-width: 15rem;
        padding: 0;
        margin: 0;
        border: 0;
      }
      legend {
        padding: 0;
        margin-bottom: 0.25rem;
        font-size: 0.75rem;
        font-weight: 600;
        color: var(--lj-ink-soft, inherit);
      }
      .fields {
        display: flex;
        gap: 0.375rem;
      }
      .fields input {
        flex: 1 1 0;
        width: 0;
      }
      p {
        max-width: 20rem;
        margin: 0;
        font-size: 0.75rem;
        color: var(--lj-danger, #b3261e);
      }
      button {
        justify-self: start;
      }
    `,
  ],
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class ColumnFilter {
  readonly column = input.required<Column>();
  /** Those on this column, as they are in force. */
  readonly conditions = input.required<readonly TypedFilter[]>();
  /** Why the server does not answer, where it is this that it was asked. */
  readonly refusal = input<string | null>(null);
  /** Whether somebody came for this. */
  readonly isAskedFor = input(false);
  readonly filtered = output<readonly TypedFilter[]>();
  /** Somebody has finished typing. */
  readonly done = output();

  protected readonly words = injectWords();
  protected readonly id = `lj-column-filter-${String((filters += 1))}`;
  readonly #formats = inject(LivejoinFormats);
  readonly #typing = injectTyping();
  #asked: string | null = null;

  /** What is typed stays as it is typed, until others change what is in force. */
  protected readonly draft = linkedSignal<
    { column: Column; conditions: readonly TypedFilter[]; format: CellFormat },
    FilterDraft
  >({
    source: () => ({ column: this.column(), conditions: this.conditions(), format: this.#formats.format() }),
    computation: ({ column, conditions, format }, before) => {
      const isOwn = JSON.stringify(conditions) === this.#asked && before?.source.format === format;
      return isOwn ? before.value : draftOf(conditions, column.kind, format);
    },
  });
  protected readonly questions = computed(() => questionsFor(this.column().kind));
  protected readonly fields = computed(() => fieldsOf(this.draft().asks));
  protected readonly isNumeric = computed(() => isNumeric(this.column().kind));
  /** What is judged is what somebody has finished typing: half a number is no fault. */
  readonly #judged = linkedSignal<Column, FilterDraft | null>({
    source: this.column,
    computation: () => null,
  });
  readonly #found = computed(() => {
    const judged = this.#judged();
    return judged === null ? [] : conditionsOf(this.column(), judged, this.#formats.format());
  });
  protected readonly faulty = computed(() => {
    const found = this.#found();
    return isFault(found) ? found.fields : [];
  });
  protected readonly message = computed(() => {
    const found = this.#found();
    if (isFault(found)) return this.#faultText(found.why);
    const refusal = this.refusal();
    return refusal === null ? null : this.words.notAnswered(refusal);
  });

  protected hintOf(field: DraftField): string {
    const name = field === 'value' ? this.words.value : this.words[field];
    return this.column().kind === 'instant' ? `${name} (${this.#formats.zoneName()})` : name;
  }

  protected ask(event: Event): void {
    const asks = (event.target as HTMLSelectElement).value as ConditionName;
    this.draft.update((draft) => ({ ...draft, asks }));
    this.#tell();
  }

  protected type(field: DraftField, event: Event): void {
    const text = (event.target as HTMLInputElement).value;
    // At once: who goes on in the other field has typed this one, too.
    this.draft.update((draft) => ({ ...draft, [field]: text }));
    this.#typing(event, () => {
      this.#tell();
    });
  }

  protected remove(): void {
    this.#asked = null;
    this.filtered.emit([]);
    this.done.emit();
  }

  #faultText(why: DraftFault['why']): string {
    if (why !== 'notANumber') return this.words[why];
    return this.words.notANumber(numberShown(EXAMPLE, this.#formats.locale));
  }

  #tell(): void {
    this.#judged.set(this.draft());
    const found = this.#found();
    if (isFault(found)) return;
    this.#asked = JSON.stringify(found);
    if (JSON.stringify(this.conditions()) !== this.#asked) this.filtered.emit(found);
  }
}
