// @vitest-environment happy-dom
import { FakeApplication } from '../../../projects/livejoin-angular/test/angular';
import { TestBed } from '@angular/core/testing';
import { instantOf } from 'livejoin-angular';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ControlLog } from '../../../src/app/control/control-log';
import { ControlLogList } from '../../../src/app/control/control-log-list';

const COLUMNS = [
  { name: 'raw', kind: 'text' },
  { name: 'verdict', kind: 'text' },
  { name: 'reason', kind: 'text' },
  { name: 'when', kind: 'instant' },
] as const;

describe('the control log', () => {
  let application: FakeApplication;

  beforeEach(() => {
    application = new FakeApplication();
    TestBed.configureTestingModule({ providers: [ControlLog] });
  });

  afterEach(() => {
    application.destroy();
  });

  async function lines(...raws: string[]): Promise<string[]> {
    const when = instantOf(1_700_000_000_000_000_000n);
    application.server.show(
      'control_raw',
      raws.map((raw) => [raw, 'applied', '', when]),
      COLUMNS,
    );
    const fixture = TestBed.createComponent(ControlLogList);
    await application.draw();
    await fixture.whenStable();
    const element = fixture.nativeElement as HTMLElement;
    return [...element.querySelectorAll('li')].map((line) => line.textContent.replace(/\s+/g, ' ').trim());
  }

  it('names who asked after the time, and keeps the message as it was', async () => {
    const [line] = await lines('{"rollback":true,"by":"ana"}');
    expect(line).toMatch(/\d by ana \{"rollback":true,"by":"ana"\}$/);
  });

  it('names nobody where the message does not', async () => {
    const [nobody, number] = await lines('{"rollback":true}', '{"by":7}');
    expect(nobody).not.toContain(' by ');
    expect(number).not.toContain(' by ');
  });
});
