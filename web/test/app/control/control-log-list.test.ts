// @vitest-environment happy-dom
import { FakeApplication } from '../../../projects/livejoin-angular/test/angular';
import { TestBed } from '@angular/core/testing';
import { instantFrom, instantOf, LivejoinFormats, type CellValue } from 'livejoin-angular';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ControlLogList } from '../../../src/app/control/control-log-list';

const COLUMNS = [
  { name: 'eventsTopic', kind: 'text' },
  { name: 'detailsTopic', kind: 'text' },
  { name: 'joinType', kind: 'text' },
  { name: 'raw', kind: 'text' },
  { name: 'verdict', kind: 'text' },
  { name: 'reason', kind: 'text' },
  { name: 'when', kind: 'instant' },
] as const;

describe('the control log', () => {
  let application: FakeApplication;

  beforeEach(() => {
    application = new FakeApplication();
  });

  afterEach(() => {
    application.destroy();
  });

  /** Messages that arrived in this order, all in the same millisecond. */
  async function shown(...messages: [raw: string, left?: string, reason?: string][]): Promise<HTMLElement[]> {
    const when = instantOf(BigInt(Date.now() - 12_300) * 1_000_000n);
    const rows = messages.map(([raw, left, reason]): CellValue[] => {
      const topics = left === undefined ? [null, null, null] : [left, 'd', 'left'];
      return [...topics, raw, 'applied', reason ?? '', when];
    });
    application.server.show('control_raw', rows, COLUMNS);
    const fixture = TestBed.createComponent(ControlLogList);
    for (let turn = 0; turn < 3; turn += 1) {
      await application.draw();
      await fixture.whenStable();
    }
    return [...(fixture.nativeElement as HTMLElement).querySelectorAll('li')];
  }

  function textOf(line: Element | undefined): string {
    return (line?.textContent ?? '').replace(/\s+/g, ' ').trim();
  }

  it('tells in words what was asked, what became of it, when and by whom', async () => {
    const [line] = await shown(['{"eventsTopic":"e2","by":"ana"}', 'e2', 'backfilled']);
    expect(textOf(line)).toMatch(
      /^events → e2, details → d, joined left ?applied ?12 s ago by ana ?Message.*backfilled\.$/,
    );
  });

  it('has the message itself on demand, as it was', async () => {
    const [line] = await shown(['{"rollback":true,"by":"ana"}']);
    expect(line?.querySelector('code')).toBeNull();
    line?.querySelector('button')?.click();
    await application.draw();
    expect(textOf(line?.querySelector('code') ?? undefined)).toBe('{"rollback":true,"by":"ana"}');
  });

  it('tells the time in the zone that is chosen, and names it', async () => {
    const formats = TestBed.inject(LivejoinFormats);
    formats.chooseZone('local');
    const [line] = await shown(['{}']);
    const time = line?.querySelector('time');
    expect(time?.title).toContain(` ${formats.localZone} (UTC`);
    expect(time?.dateTime).toBe(formats.iso(instantFrom(time?.dateTime ?? '')));
  });

  it('lists the one first that came last, also of those with the same time', async () => {
    const lines = await shown(['1', 'first'], ['2', 'second'], ['3', 'third']);
    expect(lines.map((line) => textOf(line.querySelector('.asked') ?? undefined))).toEqual([
      'events → third, joined left',
      'events → second, joined left',
      'events → first, details → d, joined left',
    ]);
  });

  it('names nobody where the message does not', async () => {
    const [number, nobody] = await shown(['{"rollback":true}'], ['{"by":7}']);
    expect(textOf(nobody)).not.toContain(' by ');
    expect(textOf(number)).not.toContain(' by ');
  });
});
