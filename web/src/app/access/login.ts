import {
  afterNextRender,
  ChangeDetectionStrategy,
  Component,
  computed,
  effect,
  type ElementRef,
  inject,
  signal,
  viewChild,
} from '@angular/core';
import { Access } from './access';
import { signInOffer } from './sign-in-offer';

@Component({
  selector: 'lj-login',
  templateUrl: './login.html',
  styleUrl: './login.css',
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class Login {
  readonly #access = inject(Access);
  protected readonly key = signal('');
  protected readonly shown = signal(false);
  /** With whom one can sign in; null where one cannot, or before that is known. */
  protected readonly offer = signal<string | null>(null);
  protected readonly busy = computed(() => this.#access.state().kind === 'connecting');
  protected readonly refusal = computed(() => {
    const state = this.#access.state();
    if (state.kind === 'refused' && this.offer() !== null) {
      return 'You are signed out, or this key was not accepted. Sign in again, or check the key for missing characters.';
    }
    if (state.kind === 'refused') {
      return 'This key is not accepted. Check it for missing characters, or ask whoever runs livejoin.';
    }
    return state.kind === 'failed' ? state.reason : null;
  });

  private readonly field = viewChild.required<ElementRef<HTMLInputElement>>('field');

  constructor() {
    void signInOffer().then((name) => {
      this.offer.set(name);
    });
    // There is one thing to do here, so typing can begin at once.
    afterNextRender(() => {
      this.field().nativeElement.focus();
    });
    // The button that was pressed was disabled meanwhile, and has lost the focus to nobody.
    effect(() => {
      if (this.refusal() !== null) this.field().nativeElement.select();
    });
  }

  protected typed(event: Event): void {
    this.key.set((event.target as HTMLInputElement).value);
  }

  protected submit(event: Event): void {
    event.preventDefault();
    const key = this.key().trim();
    if (key !== '' && !this.busy()) this.#access.login(key);
  }
}
