import { ChangeDetectionStrategy, Component, inject } from '@angular/core';
import { Access } from './access/access';
import { Login } from './access/login';
import { ControlPanel } from './control/control-panel';
import { ControlPanelState } from './control/control-panel-state';
import { TablePanel } from './grid/table-panel';
import { PAGE_CONFIG } from './page-config';
import { ConnectionBadge } from './status/connection-badge';
import { Announcer } from './status/announcer';
import { StatusStrip } from './status/status-strip';
import { ThemeSwitch } from './theme/theme-switch';

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
  protected readonly problem = inject(PAGE_CONFIG).problem;

  protected reload(): void {
    location.reload();
  }
}
