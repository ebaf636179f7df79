import {
  ChangeDetectionStrategy,
  Component,
  computed,
  effect,
  inject,
  untracked,
  viewChildren,
} from '@angular/core';
import { Glyph, tablesOf, type Declaration } from 'livejoin-angular';
import { Access } from './access/access';
import { Login } from './access/login';
import { ControlPanel } from './control/control-panel';
import { ControlPanelState } from './control/control-panel-state';
import { Declared } from './declaration/declared';
import { placesOf } from './declaration/places';
import { succession, type Stages } from './declaration/succession';
import { headingOf } from './declaration/words';
import { TableBones } from './grid/table-bones';
import { TablePanel } from './grid/table-panel';
import { TableViews } from './grid/table-views';
import { Split, type SplitName } from './layout/split';
import { Splitter } from './layout/splitter';
import { ConnectionBadge } from './status/connection-badge';
import { Announcer } from './status/announcer';
import { Notices } from './status/notices';
import { NoticeLine } from './status/notice-line';
import { ShownTables } from './status/shown-tables';
import { StatusStrip } from './status/status-strip';
import { ThemeSwitch } from './theme/theme-switch';

/** How long tables that are here wait for one that may never come. */
const WAIT_MS = 3_000;

@Component({
  selector: 'lj-app',
  imports: [
    Announcer,
    ConnectionBadge,
    ControlPanel,
    Glyph,
    Login,
    NoticeLine,
    Splitter,
    StatusStrip,
    TableBones,
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
  readonly #declared = inject(Declared);
  readonly #notices = inject(Notices);
  readonly #shownTables = inject(ShownTables);
  private readonly panels = viewChildren(TablePanel);

  protected readonly places = computed(() => placesOf(this.#declared.shown(), this.#declared.told()));
  protected readonly isMaximised = computed(() => {
    const shown = this.#declared.shown();
    return shown !== null && tablesOf(shown).includes(this.views.maximised() ?? '');
  });
  /** Why it is not known yet which tables there are. */
  protected readonly trouble = computed(() => {
    const state = this.access.state();
    return 'reason' in state ? state.reason : null;
  });

  constructor() {
    const stages = computed<Stages>(
      () => new Map(this.panels().map((panel) => [panel.table(), panel.state().kind])),
      { equal: (a, b) => JSON.stringify([...a]) === JSON.stringify([...b]) },
    );
    effect(() => {
      this.#shownTables.tell(stages());
    });
    effect(() => {
      const old = this.panels().filter((panel) => panel.isOld());
      this.#shownTables.tellOld(old.map((panel) => panel.table()));
    });
    effect((onCleanup) => {
      const told = this.#declared.told();
      const shown = this.#declared.shown();
      if (told === shown) return;
      const when = succession(shown, told, stages());
      if (when === 'now') this.#show(told);
      if (when !== 'soon') return;
      const timer = setTimeout(() => {
        this.#show(told);
      }, WAIT_MS);
      onCleanup(() => {
        clearTimeout(timer);
      });
    });
  }

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

  #show(next: Declaration | null): void {
    const former = untracked(this.#declared.shown);
    this.#declared.show(next);
    if (former === null || next === null) return;
    const tables = tablesOf(next);
    this.views.forget(tablesOf(former).filter((table) => !tables.includes(table)));
    this.#notices.say(`Now joining ${headingOf(next.left.name)} and ${headingOf(next.right.name)}`);
  }
}
