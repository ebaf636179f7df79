// @vitest-environment happy-dom
import { FakeApplication } from '../../../projects/livejoin-angular/test/angular';
import { TestBed, type ComponentFixture } from '@angular/core/testing';
import { instantOf, type CellValue } from 'livejoin-angular';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DeadLetterList } from '../../../src/app/control/dead-letter-list';

const COLUMNS = [
  { name: 'when', kind: 'instant' },
  { name: 'topic', kind: 'text' },
  { name: 'partition', kind: 'integer' },
  { name: 'offset', kind: 'integer' },
  { name: 'reason', kind: 'text' },
  { name: 'text', kind: 'text' },
] as const;

describe('the dead letters', () => {
  let application: FakeApplication;
  let fixture: ComponentFixture<DeadLetterList>;
  let list: HTMLElement;

  beforeEach(() => {
    application = new FakeApplication();
  });

  afterEach(() => {
    application.destroy();
    vi.unstubAllGlobals();
  });

  async function show(count: number): Promise<void> {
    const when = instantOf(1_700_000_000_123_000_000n);
    const rows = Array.from({ length: count }, (_, offset): CellValue[] => {
      return [
        when,
        'users',
        0,
        offset,
        offset % 3 === 0 ? 'no userId' : 'malformed JSON',
        `text ${String(offset)}`,
      ];
    });
    application.server.show('dead_letters', rows, COLUMNS);
    fixture = TestBed.createComponent(DeadLetterList);
    list = fixture.nativeElement as HTMLElement;
    await draw();
  }

  async function draw(): Promise<void> {
    for (let turn = 0; turn < 3; turn += 1) {
      await application.draw();
      await fixture.whenStable();
    }
  }

  function press(selector: string): void {
    const found = list.querySelector<HTMLElement>(selector);
    if (found === null) throw new Error(`there is no ${selector}`);
    found.click();
  }

  function texts(selector: string): string[] {
    return [...list.querySelectorAll(selector)].map(({ textContent }) =>
      textContent.replace(/\s+/g, ' ').trim(),
    );
  }

  it('are listed with the newest first, by offset where the time is the same', async () => {
    await show(3);
    expect(texts('[data-testid=dead-letters] code')).toEqual(['text 2', 'text 1', 'text 0']);
  });

  it('are counted, all of them and by reason; one reason can be looked at alone', async () => {
    await show(150);
    expect(texts('[data-testid=letter-count]')).toEqual(['150 dead letters']);
    expect(texts('[data-testid=letter-reasons] button')).toEqual(['100malformed JSON', '50no userId']);
    press('[data-testid=letter-reasons] li:last-child button');
    await draw();
    expect(new Set(texts('[data-testid=dead-letters] p'))).toEqual(new Set(['no userId']));
    expect(texts('[data-testid=dead-letters] > li')).toHaveLength(50);
    expect(texts('[data-testid=letter-count]')).toEqual(['50 of 150 dead letters']);
  });

  it('are all within reach, a page at a time', async () => {
    await show(250);
    expect(texts('[data-testid=letter-range]')).toEqual(['1–100']);
    press('[data-testid=older-letters]');
    await draw();
    press('[data-testid=older-letters]');
    await draw();
    expect(texts('[data-testid=letter-range]')).toEqual(['201–250']);
    expect(texts('[data-testid=dead-letters] code').at(-1)).toBe('text 0');
    press('[data-testid=older-letters]');
    await draw();
    expect(texts('[data-testid=letter-range]')).toEqual(['201–250']);
  });

  it('are found by any text in them, also those that are on no page', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await show(250);
    const field = list.querySelector<HTMLInputElement>('[data-testid=search]');
    if (field === null) throw new Error('there is no search');
    field.value = 'text 17';
    field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter' }));
    vi.useRealTimers();
    await draw();
    expect(texts('[data-testid=dead-letters] code').slice(0, 2)).toEqual(['text 179', 'text 178']);
    expect(texts('[data-testid=letter-count]')).toEqual(['11 of 250 dead letters']);
  });

  it('are exported as they are found, on whatever page', async () => {
    const saved = vi.fn<(data: Blob) => string>(() => 'blob:file');
    vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: saved, revokeObjectURL: vi.fn() }));
    await show(250);
    press('[data-testid=letter-reasons] li:last-child button');
    await draw();
    press('[data-testid=export-letters]');
    await draw();
    press('[data-testid=export-json-lines]');
    await draw();
    const lines = (await saved.mock.calls[0]?.[0].text())?.trim().split('\n') ?? [];
    expect(lines).toHaveLength(84);
    expect(new Set(lines.map((line) => (JSON.parse(line) as { reason: string }).reason))).toEqual(
      new Set(['no userId']),
    );
    expect(texts('[data-testid=letter-count]')).toEqual(['Exported 84 dead letters']);
  });

  it('are copied one by one, whole and exact', async () => {
    const written = vi.fn<(text: string) => Promise<void>>(() => Promise.resolve());
    vi.stubGlobal('navigator', { clipboard: { writeText: written } });
    await show(2);
    list.querySelector<HTMLElement>('[data-testid=copy-letter]')?.click();
    await draw();
    expect(JSON.parse(written.mock.calls[0]?.[0] ?? '')).toEqual({
      when: '2023-11-14T22:13:20.123Z',
      topic: 'users',
      partition: 0,
      offset: 1,
      reason: 'malformed JSON',
      text: 'text 1',
    });
    expect(texts('[data-testid=copy-letter]')).toEqual(['Copied', 'Copy']);
  });

  it('say that there are none', async () => {
    await show(0);
    expect(texts('.none')).toEqual(['None: every event could be used.']);
  });
});
