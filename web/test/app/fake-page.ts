import { FakeApplication } from '../../projects/livejoin-angular/test/angular';
import { TestBed, type ComponentFixture } from '@angular/core/testing';
import { type CellValue, type Column, type Declaration } from 'livejoin-angular';
import { DECLARATION } from 'livejoin-angular/testing';
import { vi } from 'vitest';
import { App } from '../../src/app/app';

/** The whole page at a server in memory. Who makes it destroys it. */
export class FakePage {
  readonly application = new FakeApplication();
  readonly fetched = vi.fn<(path: string, init: RequestInit) => Promise<Response>>((path) =>
    Promise.resolve(Response.json(path === 'control/topics' ? { topics: ['a', 'b'] } : { id: '7' })),
  );
  #fixture: ComponentFixture<App> | null = null;

  constructor() {
    sessionStorage.clear();
    localStorage.clear();
    history.replaceState(null, '', '?');
    vi.stubGlobal('fetch', this.fetched);
    this.declare(DECLARATION, ['u1', '12.30', '2024-12-31']);
  }

  get server(): FakeApplication['server'] {
    return this.application.server;
  }

  get element(): HTMLElement {
    return this.#fixture?.nativeElement as HTMLElement;
  }

  /** The tables of a declaration, with one row each; those of livejoin's own name the topics by its fields. */
  declare(declaration: Declaration, row: CellValue[], names = ['id', 'total', 'day']): void {
    const { left, right, joined } = declaration;
    const columns = joinedColumns(left.name, right.name, ...(names as [string, string, string]));
    const put = (table: string, rows: CellValue[][], all: readonly Column[]): void => {
      this.server.tables.set(table, rows);
      this.server.columns.set(table, all);
    };
    for (const table of [left.table, right.table, joined.table]) put(table, [row], columns);
    const text = (name: string): Column => ({ name, kind: 'text' });
    const count = (name: string): Column => ({ name, kind: 'integer' });
    const asked = [text(left.topicField), text(right.topicField), text('joinType')];
    const topics = [`${left.name}.topic`, `${right.name}.topic`, 'left'];
    const told = [text('state'), count('generation')];
    put('orchestrator_status', [[...topics, 'live', 1]], [...asked, ...told]);
    put('generations', [[...topics, 'live', 1, null]], [...asked, ...told, text('trouble')]);
    const answered = [text('verdict'), text('reason'), { name: 'when', kind: 'instant' } as const];
    put('control_raw', [], [...asked, text('raw'), ...answered]);
    for (const table of ['dead_letters', 'source_progress']) put(table, [], [text('topic')]);
    put('accounting', [[3, 12_345, 0]], [count('events'), count('deadLetters'), count('cut')]);
  }

  async open(): Promise<void> {
    this.#fixture = TestBed.createComponent(App);
    await this.draw();
  }

  async draw(): Promise<void> {
    for (let turn = 0; turn < 3; turn += 1) {
      await this.application.draw();
      this.#fixture?.detectChanges();
    }
  }

  find(testId: string): HTMLElement | null {
    return this.element.querySelector<HTMLElement>(`[data-testid=${testId}]`);
  }

  box(testId: string): HTMLInputElement {
    const found = this.find(testId);
    if (!(found instanceof HTMLInputElement)) throw new Error(`there is no box ${testId}`);
    return found;
  }

  type(testId: string, text: string): void {
    this.box(testId).value = text;
    this.box(testId).dispatchEvent(new Event('input'));
  }

  destroy(): void {
    vi.useRealTimers();
    this.application.destroy();
    vi.unstubAllGlobals();
    history.replaceState(null, '', '?');
  }
}

function joinedColumns(left: string, right: string, ...names: [string, string, string]): Column[] {
  return [
    { name: names[0], kind: 'text', key: true, source: left },
    { name: names[1], kind: 'decimal', source: left },
    { name: names[2], kind: 'date', source: right },
  ];
}
