import { CdkTableModule } from "@angular/cdk/table";
import {
  afterNextRender,
  Component,
  type ElementRef,
  provideZonelessChangeDetection,
  signal,
  viewChild,
} from "@angular/core";
import { MatTableModule } from "@angular/material/table";
import { bootstrapApplication } from "@angular/platform-browser";
import {
  AllCommunityModule,
  createGrid,
  ModuleRegistry,
} from "ag-grid-community";
import {
  injectConnection,
  type NamedRow,
  provideLivejoin,
  withTimings,
} from "livejoin-angular";
import { AgGridLiveTable, type AgGridRow } from "livejoin-angular/ag-grid";
import { CdkLiveTable } from "livejoin-angular/cdk";

ModuleRegistry.registerModules([AllCommunityModule]);

const TABLE = "final_ui";
/** As many as the table has; the grid may be taken to its end before it has heard of them. */
const ROWS = 10_000_000;

/** A long table in AG Grid, which the test takes hold of by `long.grid`. */
@Component({
  selector: "app-ag-grid",
  template: `
    <div #grid style="height: 20rem"></div>
    <p id="problem">{{ datasource.problem() }}</p>
  `,
})
class AgGrid {
  private readonly element =
    viewChild.required<ElementRef<HTMLElement>>("grid");
  protected readonly datasource = new AgGridLiveTable(TABLE, {
    answerWithinMs: 1_500,
  });

  constructor() {
    afterNextRender(() => {
      const grid = createGrid<AgGridRow>(this.element().nativeElement, {
        rowModelType: "infinite",
        datasource: this.datasource,
        infiniteInitialRowCount: ROWS,
        columnDefs: [
          { field: "userId", filter: "agTextColumnFilter" },
          { field: "balance", filter: "agNumberColumnFilter" },
        ],
      });
      Object.assign(window, { long: { grid } });
    });
  }
}

/** The same in a `mat-table` and a `cdk-table`, whose rows a paginator would choose by `long.showRows`. */
@Component({
  selector: "app-cdk-tables",
  imports: [CdkTableModule, MatTableModule],
  template: `
    <table mat-table [dataSource]="material">
      @for (name of names; track name) {
        <ng-container [matColumnDef]="name">
          <th mat-header-cell *matHeaderCellDef>{{ name }}</th>
          <td mat-cell *matCellDef="let row">{{ row.values[name] }}</td>
        </ng-container>
      }
      <tr mat-header-row *matHeaderRowDef="names"></tr>
      <tr mat-row *matRowDef="let row; columns: names"></tr>
    </table>
    <table cdk-table [dataSource]="plain" [trackBy]="byId">
      @for (name of names; track name) {
        <ng-container [cdkColumnDef]="name">
          <th cdk-header-cell *cdkHeaderCellDef>{{ name }}</th>
          <td cdk-cell *cdkCellDef="let row">{{ row.values[name] }}</td>
        </ng-container>
      }
      <tr cdk-header-row *cdkHeaderRowDef="names"></tr>
      <tr cdk-row *cdkRowDef="let row; columns: names"></tr>
    </table>
    <p id="size" [attr.data-state]="plain.live.state().kind">
      {{ plain.live.size() }}
    </p>
  `,
})
class CdkTables {
  readonly #least = signal<number | null>(null);
  protected readonly names = ["userId", "balance"];
  protected readonly material = new CdkLiveTable(TABLE);
  protected readonly plain = new CdkLiveTable(TABLE, {
    filter: () => {
      const least = this.#least();
      return least === null
        ? []
        : [{ column: "balance", is: "greaterOrEqual" as const, to: least }];
    },
  });

  constructor() {
    const showRows = (first: number, last: number): void => {
      for (const table of [this.material, this.plain])
        table.showRows(first, last);
    };
    const filter = (least: number | null): void => {
      this.#least.set(least);
    };
    // Before anything has been answered, where the address says so.
    const asked = Number(new URLSearchParams(location.search).get("first"));
    if (asked > 0) showRows(asked, asked + 9);
    Object.assign(window, { long: { showRows, filter } });
  }

  protected byId(_: number, { id }: NamedRow): number {
    return id;
  }
}

@Component({
  selector: "app-root",
  imports: [AgGrid, CdkTables],
  template: `
    <p id="connection">{{ connection.state().kind }}</p>
    @if (isGrid) {
      <app-ag-grid />
    } @else {
      <app-cdk-tables />
    }
  `,
})
class LongTables {
  protected readonly connection = injectConnection();
  protected readonly isGrid = new URLSearchParams(location.search).has("grid");
}

const address = new URLSearchParams(location.search);
const [url, key] = ["url", "key"].map((name) => address.get(name) ?? "");

void bootstrapApplication(LongTables, {
  providers: [
    provideZonelessChangeDetection(),
    provideLivejoin({ url, key }, withTimings({ aliveWithinMs: 5_000 })),
  ],
});
