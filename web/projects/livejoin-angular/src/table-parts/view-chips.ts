import {
  afterNextRender,
  ChangeDetectionStrategy,
  Component,
  computed,
  ElementRef,
  inject,
  Injector,
  input,
  output,
} from '@angular/core';
import type { Column } from 'livejoin-client';
import { LivejoinFormats } from '../formats';
import { viewChips, type ViewChip } from '../table-view/view-chip';
import { AS_IT_IS, isChosen, type ViewChoice } from '../table-view/view-choice';
import { injectWords } from '../words';
import { Glyph } from './glyph';
import { PARTS_STYLE } from './parts-style';

/** Somebody wants to change what a chip is about, beside it. */
export interface ChipPress {
  readonly chip: ViewChip;
  readonly beside: HTMLElement;
}

/** Search, filters, sorts and hidden columns as chips, each with a cross that takes it back. */
@Component({
  selector: 'lj-view-chips',
  imports: [Glyph],
  template: `
    @if (isAny()) {
      <div class="chips" role="group" [attr.aria-label]="words.viewOf(label())">
        @for (chip of chips(); track chip.about + chip.column) {
          <span class="chip" [attr.data-about]="chip.about">
            <button
              #name
              type="button"
              class="name"
              data-testid="chip"
              [title]="words.change(chip.text)"
              (click)="pressed.emit({ chip, beside: name })"
            >
              {{ chip.text }}
            </button>
            <button
              type="button"
              class="cross"
              data-testid="remove-chip"
              [title]="words.remove(chip.text)"
              [attr.aria-label]="words.remove(chip.text)"
              (click)="remove($index, chip.without)"
            >
              <lj-glyph path="M4.5 4.5l7 7M11.5 4.5l-7 7" />
            </button>
          </span>
        }
        <button
          type="button"
          class="reset"
          data-testid="clear-view"
          [title]="words.resetHint"
          (click)="reset()"
        >
          {{ words.reset }}
        </button>
        @if (refusal(); as reason) {
          <span class="refusal" role="alert" data-testid="refusal" [title]="reason">{{
            words.notAnswered(reason)
          }}</span>
        }
      </div>
    }
  `,
  styles: [
    PARTS_STYLE,
    `
      :host {
        display: block;
        min-width: 0;
      }
      .chips {
        display: flex;
        gap: 0.375rem;
        align-items: center;
        padding: 0.25rem 1rem;
        overflow-x: auto;
        scrollbar-width: none;
      }
      .chip {
        display: inline-flex;
        flex: none;
        max-width: 22rem;
        background: color-mix(in srgb, var(--lj-accent, currentcolor) 10%, transparent);
        border: 1px solid color-mix(in srgb, var(--lj-accent, currentcolor) 45%, transparent);
        border-radius: 99rem;
      }
      .chip button {
        font-size: 0.75rem;
        color: var(--lj-ink, inherit);
      }
      .name {
        flex: 0 1 auto;
        min-width: 0;
        padding: 0.125rem 0.25rem 0.125rem 0.625rem;
        border-radius: 99rem 0 0 99rem;
      }
      .chip .name {
        display: block;
        overflow: hidden;
        text-overflow: ellipsis;
      }
      .cross {
        min-width: 1.5rem;
        min-height: 1.5rem;
        padding: 0.125rem 0.375rem 0.125rem 0.25rem;
        border-radius: 0 99rem 99rem 0;
      }
      @media (pointer: coarse), (width < 50rem) {
        .cross {
          min-width: 2rem;
          min-height: 2rem;
        }
      }
      .cross lj-glyph {
        width: 0.75rem;
        height: 0.75rem;
      }
      .reset {
        padding: 0.125rem 0.5rem;
      }
      .refusal {
        flex: none;
        font-size: 0.75rem;
        font-weight: 600;
        color: var(--lj-danger, #b3261e);
      }
    `,
  ],
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class ViewChips {
  /** What the table is called. */
  readonly label = input.required<string>();
  readonly columns = input.required<readonly Column[]>();
  readonly choice = input.required<ViewChoice>();
  readonly refusal = input<string | null>(null);
  readonly chosen = output<Partial<ViewChoice>>();
  readonly pressed = output<ChipPress>();
  /** The last chip is gone, and with it what had the focus: give it to something. */
  readonly cleared = output();

  protected readonly words = injectWords();
  readonly #formats = inject(LivejoinFormats);
  readonly #injector = inject(Injector);
  readonly #element = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;
  protected readonly isAny = computed(() => isChosen(this.choice()));
  protected readonly chips = computed(() =>
    viewChips(this.choice(), this.columns(), this.words, this.#formats.format(), (count) =>
      this.#formats.count(count),
    ),
  );

  /** The focus goes to the chip that takes its place, or to the one before. */
  protected remove(place: number, without: Partial<ViewChoice>): void {
    this.chosen.emit(without);
    afterNextRender(
      () => {
        const crosses = this.#element.querySelectorAll<HTMLElement>('.cross');
        const next = crosses[Math.min(place, crosses.length - 1)];
        if (next === undefined) this.cleared.emit();
        else next.focus();
      },
      { injector: this.#injector },
    );
  }

  protected reset(): void {
    this.chosen.emit(AS_IT_IS);
    this.cleared.emit();
  }
}
