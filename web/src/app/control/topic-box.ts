import {
  ChangeDetectionStrategy,
  Component,
  computed,
  type ElementRef,
  input,
  output,
  signal,
  viewChild,
} from '@angular/core';
import { nearestName } from './nearest-name';

/** A box for the name of a topic, which offers those that exist; any other name can be typed too. */
@Component({
  selector: 'lj-topic-box',
  templateUrl: './topic-box.html',
  styleUrl: './topic-box.css',
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class TopicBox {
  readonly boxId = input.required<string>();
  readonly testId = input.required<string>();
  readonly label = input.required<string>();
  readonly value = input.required<string>();
  /** Null while it is not known which ones there are. */
  readonly topics = input.required<readonly string[] | null>();
  readonly typed = output<string>();
  readonly entered = output();

  protected readonly isOpen = signal(false);
  /** What was typed since the list was opened; null before: then every topic is offered. */
  readonly #search = signal<string | null>(null);
  protected readonly active = signal(-1);
  readonly #found = computed(() => {
    const search = this.#search() ?? '';
    const topics = this.topics() ?? [];
    return topics.filter((topic) => topic.toLowerCase().includes(search.toLowerCase()));
  });
  /** Whether nothing is called so, and what is offered is what may have been meant. */
  protected readonly isGuess = computed(() => this.#found().length === 0);
  protected readonly offered = computed(() => {
    const meant = this.isGuess() ? nearestName(this.#search() ?? '', this.topics() ?? []) : null;
    return meant === null ? this.#found() : [meant];
  });
  protected readonly isShown = computed(() => this.isOpen() && this.offered().length > 0);
  private readonly box = viewChild.required<ElementRef<HTMLInputElement>>('box');

  protected open(): void {
    if (this.isOpen()) return;
    this.#search.set(null);
    this.active.set(-1);
    this.isOpen.set(true);
  }

  protected close(): void {
    this.isOpen.set(false);
    // An empty box chooses nothing: what it stands for is shown again.
    this.box().nativeElement.value = this.value();
  }

  protected type(): void {
    const text = this.box().nativeElement.value.trim();
    this.isOpen.set(true);
    this.#search.set(text);
    this.active.set(-1);
    this.typed.emit(text);
  }

  protected pick(topic: string): void {
    this.box().nativeElement.value = topic;
    this.typed.emit(topic);
    this.isOpen.set(false);
  }

  protected press(event: KeyboardEvent): void {
    const count = this.offered().length;
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0 && count > 0) {
      event.preventDefault();
      this.open();
      this.active.update((active) => (active < 0 && step < 0 ? count - 1 : (active + step + count) % count));
      return;
    }
    if (!this.isShown()) return;
    const chosen = this.offered()[this.active()];
    if (event.key === 'Enter' && chosen !== undefined) {
      event.preventDefault();
      this.pick(chosen);
    }
    // The list goes, the panel around it stays.
    if (event.key === 'Escape') {
      event.preventDefault();
      this.isOpen.set(false);
    }
  }
}
