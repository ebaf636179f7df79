import { ChangeDetectionStrategy, Component, computed, inject } from '@angular/core';
import { Access } from './access/access';
import { Login } from './access/login';
import { ControlPanel } from './control/control-panel';
import { ControlPanelState } from './control/control-panel-state';
import { Glyph } from './glyph';
import { TablePanel } from './grid/table-panel';
import { TableViews } from './grid/table-views';
import { Split, type SplitName } from './layout/split';
import { Splitter } from './layout/splitter';
import { ConnectionBadge } from './status/connection-badge';
import { Announcer } from './status/announcer';
import { StatusStrip } from './status/status-strip';
import { ThemeSwitch } from './theme/theme-switch';

const TABLES = ['users_ui', 'accounts_ui', 'final_ui'];

@Component({
  selector: 'lj-app',
  imports: [
    Announcer,
    ConnectionBadge,
    ControlPanel,
    Glyph,
    Login,
    Splitter,
    StatusStrip,
    TablePanel,
    ThemeSwitch,
  ],
  templateUrl: './app.html',
  styleUrl: './app.css',
  host: { '(document:keydown.escape)': 'restore($event)' },
  changeDetection: ChangeDetectionStrategy.OnPush,
})
export class App {
  protected readonly access = inject(Access);
  protected readonly panel = inject(ControlPanelState);
  protected readonly views = inject(TableViews);
  protected readonly split = inject(Split);

  protected readonly isMaximised = computed(() => TABLES.includes(this.views.maximised() ?? ''));

  /** Both parts and the line between them. */
  protected tracks(name: SplitName): string {
    const share = this.split.of(name);
    return `minmax(0, ${String(share)}fr) var(--gap) minmax(0, ${String(100 - share)}fr)`;
  }

  /** Another table has all the room. It stays alive, so that it is there at once afterwards. */
  protected isAway(table: string): boolean {
    return this.isMaximised() && this.views.maximised() !== table;
  }

  /** Escape gives the other tables their room back, unless it is for something that lies above them or is typed in. */
  protected restore(event: Event): void {
    const isTaken = event.defaultPrevented || this.panel.isOpen() || event.target instanceof HTMLInputElement;
    if (this.isMaximised() && !isTaken) this.views.maximise(null);
  }
}
