import { Component } from '@angular/core';
import { injectLiveTable, LiveTableComponent } from 'livejoin-angular';

@Component({
  selector: 'app-accounts-route',
  imports: [LiveTableComponent],
  template: `
    <h2>Accounts</h2>
    <p>{{ live.size() }} rows</p>
    <lj-live-table table="accounts_ui" />
  `,
})
export default class AccountsRoute {
  protected readonly live = injectLiveTable('accounts_ui', { columns: ['userId'] });
}
