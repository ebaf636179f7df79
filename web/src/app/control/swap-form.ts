import {
  ChangeDetectionStrategy,
  Component,
  computed,
  effect,
  inject,
  linkedSignal,
  signal,
} from '@angular/core';
import type { Declaration } from 'livejoin-angular';
import { Declared } from '../declaration/declared';
import { headingOf, meaningOfJoin } from '../declaration/words';
import { newestBuilding } from '../status/swap-state';
import { SwapWatch } from '../status/swap-watch';
import { ControlDesk } from './control-desk';
import { entryWithId, meaningOf } from './control-entry';
import { ControlKey } from './control-key';
import { ControlLog } from './control-log';
import { messageOf, swapPlan, type SwapChoice } from './swap-plan';
import { VerdictChip } from './verdict-chip';

/** Asks for other topics or another join, says before what will happen, and after what became of it. */
@Component({
  selector: 'lj-swap-form',
  imports: [VerdictChip],
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
  /** What the person has chosen; the rest is as it is live, also when that changes. Of other sources it means nothing. */
  readonly #chosen = linkedSignal<Declaration | null, Partial<SwapChoice>>({
    source: this.#declaration,
    computation: () => ({}),
  });
  readonly #sentId = signal<string | null>(null);
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
      ...this.#chosen(),
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
  protected readonly sent = computed(() => {
    const id = this.#sentId();
    if (id === null) return null;
    const entries = this.#log.entries();
    const entry = entryWithId(entries, id);
    const newer = entry === null ? [] : entries.slice(0, entries.indexOf(entry));
    // A rollback or somebody else's swap has made another one live: what is said here would be wrong.
    if (newer.some(({ verdict }) => verdict === 'applied')) return null;
    const { verdict, reason } = entry ?? { verdict: '', reason: '' };
    return { verdict, text: [reason, meaningOf(verdict)].filter((part) => part !== '').join('. ') };
  });

  constructor() {
    // Without a key there is nothing to ask with; with a new one there is.
    effect(() => {
      if (!this.needsKey()) void this.loadTopics();
    });
    // What was chosen is live: from here on the form follows what is live again.
    effect(() => {
      if (this.sent()?.verdict === 'applied') this.#chosen.set({});
    });
  }

  /** A browser offers only names with the text of the box in them: it is emptied, until it is left. */
  protected offerAll(box: HTMLInputElement, field: keyof SwapChoice): void {
    if (box.value !== this.choice()[field]) return;
    box.value = '';
    box.showPicker();
  }

  /** An empty box chooses nothing: what is live stays. */
  protected choose(field: keyof SwapChoice, event: Event): void {
    const value = (event.target as HTMLInputElement | HTMLSelectElement).value.trim();
    this.#chosen.update((chosen) => ({
      ...chosen,
      [field]: value === '' ? (this.#live()?.[field] ?? '') : value,
    }));
    this.#sentId.set(null);
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
    this.#sentId.set(null);
    this.isSending.set(true);
    const answer = await this.#desk.send(messageOf(this.choice(), declaration));
    this.isSending.set(false);
    if (answer.ok) this.#sentId.set(answer.value);
    else this.problem.set(answer.problem);
  }
}
