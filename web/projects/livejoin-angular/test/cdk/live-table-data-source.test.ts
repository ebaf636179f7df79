// @vitest-environment happy-dom
import { FakeApplication } from '../angular';
import type { CollectionViewer, ListRange } from '@angular/cdk/collections';
import { LiveTableDataSource } from 'livejoin-angular/cdk';
import { Subject } from 'rxjs';
import { expect, it } from 'vitest';

it('a data source streams the rows that its viewer looks at', async () => {
  const application = new FakeApplication();
  application.server.show(
    'users_ui',
    Array.from({ length: 500 }, (_, i) => [`u${String(i)}`, i]),
  );
  const source = await application.inject(() => new LiveTableDataSource('users_ui'));
  const views = new Subject<ListRange>();
  const viewer: CollectionViewer = { viewChange: views };
  const seen: (number | undefined)[][] = [];
  source.connect(viewer).subscribe((rows) => seen.push([rows[0]?.index, rows.at(-1)?.index]));
  await application.draw();
  expect(seen.at(-1)).toEqual([0, 99]);

  views.next({ start: 200, end: 220 });
  await application.draw();
  expect(seen.at(-1)).toEqual([200, 219]);
  // A table without virtual scrolling says that it looks at everything.
  views.next({ start: 0, end: Number.MAX_VALUE });
  views.next({ start: 0, end: Infinity });
  await application.draw();

  source.disconnect(viewer);
  expect(views.observed).toBe(false);
  source.showRows(10, 19);
  await application.draw();
  expect(seen.at(-1)).toEqual([10, 19]);
  expect(source.live.size()).toBe(500);
  application.destroy();
});
