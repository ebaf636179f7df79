import { computed, Injectable } from '@angular/core';
import { injectLiveTable } from 'livejoin-angular';

export type Origin = 'users' | 'accounts' | 'joined';

/**
 * From which source a column of the joined table comes. The tables say so themselves: no column list is written
 * down here. Watches the sources for as long as the grid lives that provides it, and shares their viewports.
 */
@Injectable()
export class ColumnOrigin {
  readonly #users = injectLiveTable('users_ui', { window: null });
  readonly #accounts = injectLiveTable('accounts_ui', { window: null });
  readonly #userColumns = computed(() => new Set(this.#users.columns().map(({ name }) => name)));
  readonly #accountColumns = computed(() => new Set(this.#accounts.columns().map(({ name }) => name)));

  of(column: string): Origin | null {
    const fromUsers = this.#userColumns().has(column);
    const fromAccounts = this.#accountColumns().has(column);
    if (fromUsers && fromAccounts) return 'joined';
    if (fromUsers) return 'users';
    return fromAccounts ? 'accounts' : null;
  }
}
