import { ChangeDetectionStrategy, Component, inject } from '@angular/core';
import { Access } from './access/access';
import { Login } from './access/login';
import { ControlPanel } from './control/control-panel';
import { ControlPanelState } from './control/control-panel-state';
import { TablePanel } from './grid/table-panel';
import { TableViews } from './grid/table-views';
import { PAGE_CONFIG } from './page-config';
import { ConnectionBadge } from './status/connection-badge';
import { Announcer } from './status/announcer';
import { StatusStrip } from './status/status-strip';
import { ThemeSwitch } from './theme/theme-switch';

const TABLES = ['users_ui', 'accounts_ui', 'final_ui'];

@Component({
  selector: 'lj-app',
  imports: [Announcer, ConnectionBadge, ControlPanel, Login, StatusStrip, TablePanel, ThemeSwitch],
  templateUrl: './app.html',
  styleUrl: './app.css',
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class App {
  protected readonly access = inject(Access);
  protected readonly panel = inject(ControlPanelState);
  protected readonly views = inject(TableViews);
  protected readonly problem = inject(PAGE_CONFIG).problem;

  /** Another table has all the room. It stays alive, so that it is there at once afterwards. */
  protected isAway(table: string): boolean {
    const maximised = this.views.maximised();
    return maximised !== null && TABLES.includes(maximised) && maximised !== table;
  }

  protected reload(): void {
    location.reload();
  }
}
