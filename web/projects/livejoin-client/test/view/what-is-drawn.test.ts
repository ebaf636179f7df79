import fc from 'fast-check';
import { FakeEnvironment, FakeTableServer } from 'livejoin-client/testing';
import { expect, it } from 'vitest';
import { LivejoinHub } from '../../src/hub';
import type { CellValue, Column } from '../../src/table-server';
import { filledUp, type RowWindow } from '../../src/view/row-window';
import { viewOf, type ViewDescription } from '../../src/view/view-description';
import type { ViewObserver } from '../../src/view/view-observer';

const COLUMNS: readonly Column[] = [
  { name: 'id', kind: 'text', key: true },
  { name: 'amount', kind: 'integer' },
  { name: 'generation', kind: 'integer' },
];

const VIEWPORT_ROWS = 200;

const UNSORTED: ViewDescription = { table: 'final_ui' };

const VIEWS: readonly ViewDescription[] = [
  UNSORTED,
  { table: 'final_ui', sort: [{ column: 'amount', direction: 'descending' }] },
  { table: 'final_ui', filter: [{ column: 'amount', is: 'less', to: 50 }] },
  { table: 'final_ui', filter: [{ column: 'amount', is: 'greater', to: 1_000 }] },
  {
    table: 'final_ui',
    sort: [{ column: 'id', direction: 'ascending' }],
    filter: [{ column: 'amount', is: 'greaterOrEqual', to: 30 }],
  },
];

type Step =
  | { readonly do: 'grow' | 'shrink' | 'change' | 'flip'; readonly rows: number; readonly at: number }
  | { readonly do: 'show'; readonly viewer: number; readonly view: number }
  | { readonly do: 'scroll'; readonly viewer: number; readonly first: number; readonly length: number }
  | { readonly do: 'follow' | 'leave'; readonly viewer: number }
  | { readonly do: 'lose' | 'fail' | 'outage' | 'silence' | 'slow' | 'paint' | 'answer' | 'rest' }
  | { readonly do: 'wait'; readonly ms: number };

const viewer = fc.nat(2);

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constantFrom('grow' as const, 'shrink' as const, 'change' as const, 'flip' as const),
    rows: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 400 })),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
  }),
  fc.record({ do: fc.constant('show' as const), viewer, view: fc.nat(VIEWS.length - 1) }),
  fc.record({
    do: fc.constant('scroll' as const),
    viewer,
    first: fc.oneof(fc.nat(700), fc.nat(5_000)),
    length: fc.integer({ min: 1, max: VIEWPORT_ROWS / 2 }),
  }),
  fc.record({ do: fc.constantFrom('follow' as const, 'leave' as const), viewer }),
  fc.record({
    do: fc.constantFrom(
      'lose' as const,
      'fail' as const,
      'outage' as const,
      'silence' as const,
      'slow' as const,
      'paint' as const,
      'answer' as const,
      'rest' as const,
    ),
  }),
  fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(1, 200, 4_000, 20_000) }),
);

/** Somebody at a screen, with a window that stands or follows the end as a grid's does. */
class Viewer {
  #observer: ViewObserver | null = null;
  #stop = (): void => undefined;
  #follows = false;
  description = UNSORTED;
  /** What was wrong in any frame so far. */
  readonly faults: string[] = [];

  constructor(private readonly hub: LivejoinHub) {}

  get observer(): ViewObserver | null {
    return this.#observer;
  }

  show(description: ViewDescription): void {
    const window = this.#observer?.window ?? { first: 0, last: 19 };
    this.leave();
    this.description = description;
    const observer = this.hub.observe(description);
    this.#observer = observer;
    this.#stop = observer.snapshot.subscribe(({ rows, generation, size }) => {
      if (rows.some(({ cells }) => cells[2] !== generation)) this.faults.push('a row of another generation');
      const start = rows[0]?.index ?? 0;
      if (rows.some(({ index }, place) => index !== start + place)) this.faults.push('a hole between rows');
      if (this.#follows) this.#moveToEnd(size);
    });
    observer.setWindow(window);
  }

  scroll(window: RowWindow): void {
    this.#follows = false;
    if (this.#observer === null) this.show(this.description);
    this.#observer?.setWindow(window);
  }

  follow(): void {
    if (this.#observer === null) this.show(this.description);
    this.#follows = true;
    this.#moveToEnd(this.#observer?.snapshot.value.size ?? 0);
  }

  leave(): void {
    this.#stop();
    this.#observer?.leave();
    this.#observer = null;
  }

  #moveToEnd(size: number): void {
    const first = Math.floor(Math.max(0, size - 15) / 32) * 32;
    const { window } = this.#observer ?? {};
    if (window?.first !== first) this.#observer?.setWindow({ first, last: first + 63 });
  }
}

class World {
  readonly environment = new FakeEnvironment();
  readonly server = new FakeTableServer();
  readonly hub = new LivejoinHub(
    { url: 'fake', viewportRows: VIEWPORT_ROWS },
    { environment: this.environment, server: this.server },
  );
  readonly viewers = [0, 1, 2].map(() => new Viewer(this.hub));
  #made = 0;

  constructor() {
    this.server.generation = 1;
    this.server.answersAtOnce = true;
    this.server.show('final_ui', this.#rows(300), COLUMNS);
    this.hub.connect('right');
  }

  /** Whether everything that is asked is answered. */
  get isWell(): boolean {
    const { isDown, isSilent, answersAtOnce } = this.server;
    return !isDown && !isSilent && answersAtOnce;
  }

  async take(given: Step): Promise<void> {
    switch (given.do) {
      case 'grow':
        this.#put(this.#table.length * (given.at < 0.5 ? 1 : given.at), 0, this.#rows(given.rows));
        break;
      case 'shrink':
        this.#put(Math.max(0, this.#table.length * given.at - given.rows), given.rows, []);
        break;
      case 'change':
        this.#put(this.#table.length * given.at, 1, this.#rows(1));
        break;
      case 'flip':
        this.server.generation = (this.server.generation ?? 0) + 1;
        this.#put(0, this.#table.length, this.#rows(given.rows));
        break;
      case 'show':
        this.viewers[given.viewer]?.show(VIEWS[given.view] ?? UNSORTED);
        break;
      case 'scroll':
        this.viewers[given.viewer]?.scroll({ first: given.first, last: given.first + given.length - 1 });
        break;
      case 'follow':
        this.viewers[given.viewer]?.follow();
        break;
      case 'leave':
        this.viewers[given.viewer]?.leave();
        break;
      case 'lose':
        this.server.sessions.at(-1)?.lose();
        break;
      case 'fail':
        this.server.openHandles[0]?.fail('It failed.');
        break;
      case 'outage':
        this.server.isDown = true;
        this.server.sessions.at(-1)?.lose();
        break;
      case 'silence':
        this.server.isSilent = true;
        break;
      case 'slow':
        this.server.answersAtOnce = false;
        break;
      case 'answer':
        this.#answer();
        break;
      case 'paint':
        this.environment.paint();
        break;
      case 'wait':
        await this.environment.pass(given.ms);
        break;
      case 'rest':
        await this.rest();
    }
    await this.environment.pass(0);
  }

  /** All is well, and everything that is under way has come to its end: what is drawn is the table. */
  async rest(): Promise<void> {
    Object.assign(this.server, { isDown: false, isSilent: false, answersAtOnce: true });
    this.hub.retryNow();
    this.#answer();
    for (let turn = 0; turn < 4; turn += 1) {
      await this.environment.pass(15_000);
      this.environment.paint();
    }
    expect(this.hub.connection.value.kind).toBe('live');
    for (const { observer, description, faults } of this.viewers) {
      expect(faults).toEqual([]);
      if (observer !== null) this.#agrees(observer, description);
    }
  }

  #agrees({ snapshot, window }: ViewObserver, description: ViewDescription): void {
    const table = this.server.rowsOf(viewOf(description));
    expect(snapshot.value).toMatchObject({ state: { kind: 'live' }, size: table.length });
    if (window === null || (!snapshot.value.covered && this.#areFarApart(description, table.length))) return;
    const { first, last } = filledUp(window, table.length);
    const drawn = snapshot.value.rows.map(({ index, cells }) => [index, ...cells]);
    expect(drawn).toEqual(table.slice(first, last + 1).map((cells, place) => [first + place, ...cells]));
  }

  /** Whether the windows of one view are too far apart for one viewport. */
  #areFarApart(description: ViewDescription, size: number): boolean {
    const windows = this.viewers.flatMap(({ observer, description: shown }) =>
      observer?.window && shown === description ? [observer.window, filledUp(observer.window, size)] : [],
    );
    const [first, last] = [
      Math.min(...windows.map(({ first }) => first)),
      Math.max(...windows.map(({ last }) => last)),
    ];
    return last - first >= VIEWPORT_ROWS;
  }

  #answer(): void {
    for (const handle of this.server.openHandles) if (handle.looks.length > 0) handle.send();
  }

  get #table(): readonly CellValue[][] {
    return this.server.tables.get('final_ui') ?? [];
  }

  #put(at: number, removed: number, added: CellValue[][]): void {
    const rows = [...this.#table];
    rows.splice(Math.floor(at), removed, ...added);
    this.server.show('final_ui', rows, COLUMNS);
  }

  #rows(count: number): CellValue[][] {
    return Array.from({ length: count }, () => {
      this.#made += 1;
      return [`u${String(this.#made)}`, (this.#made * 37) % 101, this.server.generation];
    });
  }
}

it('draws what is in the table, whatever happened before', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 40, size: 'max' }), async (steps) => {
      const world = new World();
      for (const viewer of world.viewers.slice(0, 2)) viewer.show(UNSORTED);
      for (const each of steps) await world.take(each);
      await world.rest();
      world.hub.dispose();
    }),
    { seed: 20, numRuns: 150 },
  );
});

it('draws what is in the table after each step, where nothing is away', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 20, size: 'max' }), async (steps) => {
      const world = new World();
      for (const viewer of world.viewers.slice(0, 2)) viewer.show(UNSORTED);
      for (const each of steps) {
        await world.take(each);
        if (world.isWell) await world.rest();
      }
      world.hub.dispose();
    }),
    { seed: 21, numRuns: 50 },
  );
});
