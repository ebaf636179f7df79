// @vitest-environment happy-dom
import { FakeApplication } from '../angular';
import type { CollectionViewer, ListRange } from '@angular/cdk/collections';
import { CdkTableModule } from '@angular/cdk/table';
import { ChangeDetectionStrategy, Component } from '@angular/core';
import { TestBed, type ComponentFixture } from '@angular/core/testing';
import { MatTableModule } from '@angular/material/table';
import type { CellValue, NamedRow } from 'livejoin-angular';
import { CdkLiveTable } from 'livejoin-angular/cdk';
import { Subject } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const MANY = 10_000_000;

/** As many rows as nobody could keep in memory: each is made when it is looked at. */
const ROWS = {
  length: MANY,
  slice: (first: number, end: number): CellValue[][] =>
    Array.from({ length: Math.max(0, Math.min(end, MANY) - first) }, (_, place) => [
      `u${String(first + place)}`,
      first + place,
    ]),
} as unknown as CellValue[][];

@Component({
  selector: 'lj-cdk-example',
  imports: [CdkTableModule],
  template: `
    <table cdk-table [dataSource]="users" [trackBy]="byId">
      <ng-container cdkColumnDef="id">
        <th cdk-header-cell *cdkHeaderCellDef>id</th>
        <td cdk-cell *cdkCellDef="let row">{{ row.values.id }}</td>
      </ng-container>
      <tr cdk-header-row *cdkHeaderRowDef="['id']"></tr>
      <tr cdk-row *cdkRowDef="let row; columns: ['id']"></tr>
    </table>
  `,
  changeDetection: ChangeDetectionStrategy.OnPush,
})
class CdkExample {
  readonly users = new CdkLiveTable('users_ui');

  protected byId(_: number, { id }: NamedRow): number {
    return id;
  }
}

@Component({
  selector: 'lj-material-example',
  imports: [MatTableModule],
  template: `
    <mat-table [dataSource]="users">
      <ng-container matColumnDef="id">
        <mat-header-cell *matHeaderCellDef>id</mat-header-cell>
        <mat-cell *matCellDef="let row">{{ row.values.id }}</mat-cell>
      </ng-container>
      <mat-header-row *matHeaderRowDef="['id']"></mat-header-row>
      <mat-row *matRowDef="let row; columns: ['id']"></mat-row>
    </mat-table>
  `,
  changeDetection: ChangeDetectionStrategy.OnPush,
})
class MaterialExample {
  readonly users = new CdkLiveTable('users_ui');
}

describe('CdkLiveTable', () => {
  let application: FakeApplication;

  beforeEach(() => {
    application = new FakeApplication();
    application.server.show('users_ui', ROWS);
  });

  afterEach(() => {
    application.destroy();
  });

  it.each([
    ['cdk-table', CdkExample, 'td'],
    ['mat-table', MaterialExample, 'mat-cell'],
  ] as const)('gives a %s the first hundred of all rows, and any others', async (_, example, cell) => {
    const fixture: ComponentFixture<CdkExample | MaterialExample> = TestBed.createComponent<
      CdkExample | MaterialExample
    >(example);
    await application.draw();
    const element = fixture.nativeElement as HTMLElement;
    const drawn = (): (string | undefined)[] =>
      [...element.querySelectorAll(cell)].map(({ textContent }) => textContent.trim());
    expect([drawn().length, drawn()[0], drawn().at(-1)]).toEqual([100, 'u0', 'u99']);
    expect(fixture.componentInstance.users.live.size()).toBe(MANY);
    fixture.componentInstance.users.showRows(MANY - 20, MANY - 1);
    await application.draw();
    expect([drawn().length, drawn()[0], drawn().at(-1)]).toEqual([20, 'u9999980', 'u9999999']);
  });

  it('streams the rows that its viewer looks at, and not all of them to one that looks at everything', async () => {
    const source = await application.inject(() => new CdkLiveTable('users_ui'));
    const views = new Subject<ListRange>();
    const viewer: CollectionViewer = { viewChange: views };
    const seen: (number | undefined)[][] = [];
    source.connect(viewer).subscribe((rows) => seen.push([rows[0]?.index, rows.at(-1)?.index]));
    await application.draw();
    expect(seen.at(-1)).toEqual([0, 99]);
    views.next({ start: 200, end: 220 });
    await application.draw();
    expect(seen.at(-1)).toEqual([200, 219]);
    // In both ways in which a table without virtual scrolling says so.
    views.next({ start: 0, end: Number.MAX_VALUE });
    views.next({ start: 0, end: Infinity });
    await application.draw();
    expect(seen.at(-1)).toEqual([200, 219]);
    source.disconnect(viewer);
    expect(views.observed).toBe(false);
  });
});
