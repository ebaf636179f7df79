import {
  ChangeDetectionStrategy,
  Component,
  computed,
  effect,
  ElementRef,
  inject,
  signal,
} from '@angular/core';
import { Glyph } from 'livejoin-angular';
import { Declared } from '../declaration/declared';
import { headingOf, meaningOfJoin } from '../declaration/words';
import { FocusThen } from '../focus-then';
import { sentence } from '../sentence';
import { ReadNotices } from '../status/read-notices';
import { newestBuilding } from '../status/swap-state';
import { SwapWatch } from '../status/swap-watch';
import { ControlDesk, newId } from './control-desk';
import { entryWithId, keyOf, meaningOf } from './control-entry';
import { ControlKey } from './control-key';
import { ControlLog } from './control-log';
import { SwapDraft } from './swap-draft';
import { messageOf, swapPlan, type SwapChoice } from './swap-plan';
import { TopicBox } from './topic-box';
import { VerdictChip } from './verdict-chip';

/** Asks for other topics or another join, says before what will happen, and after what became of it. */
@Component({
  selector: 'lj-swap-form',
  imports: [FocusThen, Glyph, TopicBox, VerdictChip],
  templateUrl: './swap-form.html',
  styleUrl: './swap-form.css',
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class SwapForm {
  readonly #desk = inject(ControlDesk);
  readonly #key = inject(ControlKey);
  readonly #log = inject(ControlLog);
  readonly #generations = inject(SwapWatch).generations;
  readonly #declaration = inject(Declared).told;
  readonly #read = inject(ReadNotices);
  readonly #draft = inject(SwapDraft);
  readonly #live = computed<SwapChoice | null>(
    () => this.#generations().find(({ state }) => state === 'live' || state === 'recovering') ?? null,
  );
  readonly #building = computed<SwapChoice | null>(() => newestBuilding(this.#generations()));

  /** Null before the server has said what it joins: then there is nothing to ask for. */
  protected readonly sources = computed(() => {
    const declaration = this.#declaration();
    if (declaration === null) return null;
    return (['left', 'right'] as const).map((side) => {
      const { name } = declaration[side];
      return { side, name, label: `${headingOf(name)} topic` };
    });
  });
  protected readonly joins = computed(() => this.#declaration()?.joins ?? []);
  protected readonly topics = signal<readonly string[] | null>(null);
  protected readonly problem = signal('');
  protected readonly isSending = signal(false);
  protected readonly typedKey = signal('');
  protected readonly needsKey = computed(() => this.#key.isOwn() && this.#key.value() === '');
  protected readonly choice = computed<SwapChoice>(() => {
    const live = this.#live();
    return {
      left: live?.left ?? '',
      right: live?.right ?? '',
      joinType: live?.joinType ?? this.joins()[0] ?? '',
      ...this.#draft.chosen(),
    };
  });
  protected readonly plan = computed(() => {
    const declaration = this.#declaration();
    if (declaration === null) return { text: '', canSend: false };
    const scene = { live: this.#live(), building: this.#building(), topics: this.topics() };
    return swapPlan(this.choice(), { ...scene, declaration });
  });
  protected readonly meaning = computed(() => {
    const declaration = this.#declaration();
    if (declaration === null) return '';
    return meaningOfJoin(this.choice().joinType, declaration.left.name, declaration.right.name);
  });
  /** What would happen is told by what has happened, until something else is chosen. */
  protected readonly hasPlan = computed(() => !['rejected', 'failed'].includes(this.sent()?.verdict ?? ''));
  protected readonly sent = computed(() => {
    const id = this.#draft.sentId();
    if (id === null || this.isSending()) return null;
    const entries = this.#log.entries();
    const entry = entryWithId(entries, id);
    const newer = entry === null ? [] : entries.slice(0, entries.indexOf(entry));
    // A rollback or somebody else's swap has made another one live: what is said here would be wrong.
    if (newer.some(({ verdict }) => verdict === 'applied')) return null;
    // The answer was lost, and so perhaps the message.
    if (entry === null && this.problem() !== '') return null;
    const { verdict, reason } = entry ?? { verdict: '', reason: '' };
    return { verdict, entry, text: `${sentence(reason)} ${meaningOf(verdict)}`.trim() };
  });

  constructor() {
    // Without a key there is nothing to ask with; with a new one there is.
    effect(() => {
      if (!this.needsKey()) void this.loadTopics();
    });
    // What was chosen is live: from here on the form follows what is live again.
    effect(() => {
      if (this.sent()?.verdict === 'applied') this.#draft.chosen.set({});
    });
    // Told here, it is not told again beside the badge; and where it is known by now, nothing is unknown any more.
    effect(() => {
      const entry = this.sent()?.entry ?? null;
      if (entry === null) return;
      this.problem.set('');
      if (entry.verdict !== '') this.#read.add(keyOf(entry));
    });
  }

  readonly #element = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;

  /** The button that is there whatever becomes of what was asked. */
  protected readonly focusSend = (): void => {
    this.#element.querySelector<HTMLElement>('[data-testid=swap-send]')?.focus();
  };

  /** An empty box chooses nothing: what is live stays. */
  protected choose(field: keyof SwapChoice, value: string): void {
    this.#draft.chosen.update((chosen) => ({
      ...chosen,
      [field]: value === '' ? (this.#live()?.[field] ?? '') : value,
    }));
    this.dismiss();
  }

  /** Puts away what was said of the last message. */
  protected dismiss(): void {
    this.#draft.sentId.set(null);
    this.problem.set('');
  }

  protected typeKey(event: Event): void {
    this.typedKey.set((event.target as HTMLInputElement).value);
  }

  protected useKey(event: Event): void {
    event.preventDefault();
    const key = this.typedKey().trim();
    if (key === '') return;
    this.typedKey.set('');
    this.problem.set('');
    this.#key.remember(key);
  }

  protected async loadTopics(): Promise<void> {
    const answer = await this.#desk.topics();
    if (answer.ok) this.topics.set(answer.value);
    else this.problem.set(answer.problem);
  }

  protected async send(event: Event): Promise<void> {
    event.preventDefault();
    const declaration = this.#declaration();
    if (declaration === null || !this.plan().canSend || this.isSending()) return;
    this.problem.set('');
    const id = newId();
    this.#draft.sentId.set(id);
    this.isSending.set(true);
    const answer = await this.#desk.send(messageOf(this.choice(), declaration), id);
    this.isSending.set(false);
    if (answer.ok) return;
    if (answer.sent === 'no') this.#draft.sentId.set(null);
    this.problem.set(answer.problem);
  }
}
