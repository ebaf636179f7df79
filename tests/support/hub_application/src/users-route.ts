import { Component } from '@angular/core';
import { injectLiveTable, LiveTableComponent } from 'livejoin-angular';

@Component({
  selector: 'app-users-route',
  imports: [LiveTableComponent],
  template: `
    <h2>Users</h2>
    <p>{{ live.size() }} rows</p>
    <lj-live-table table="users_ui" />
  `,
})
export default class UsersRoute {
  protected readonly live = injectLiveTable('users_ui', { columns: ['userId'] });
}
