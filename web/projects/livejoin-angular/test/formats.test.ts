// @vitest-environment happy-dom
import { FakeApplication } from './angular';
import { LOCALE_ID } from '@angular/core';
import { TestBed } from '@angular/core/testing';
import { instantFrom, LivejoinFormats } from 'livejoin-angular';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

describe('LivejoinFormats', () => {
  let application: FakeApplication;

  beforeEach(() => {
    application = new FakeApplication();
  });

  afterEach(() => {
    application.destroy();
  });

  it('writes numbers by the locale of the application', () => {
    TestBed.configureTestingModule({ providers: [{ provide: LOCALE_ID, useValue: 'de' }] });
    const formats = TestBed.inject(LivejoinFormats);
    expect([formats.count(12_345), formats.cell(1234.5, 'double').text]).toEqual(['12.345', '1.234,50']);
  });

  it('writes all times in one zone, which has a name and can be changed', () => {
    const formats = TestBed.inject(LivejoinFormats);
    const at = instantFrom('2024-07-01T12:00:00.000000001Z');
    expect([formats.zoneName(), formats.cell(at, 'instant').text]).toEqual([
      'UTC',
      '2024-07-01 12:00:00.000000001',
    ]);
    formats.chooseZone('local');
    expect(formats.zoneName()).toBe(new Intl.DateTimeFormat().resolvedOptions().timeZone);
    expect(formats.cell(at, 'instant').exact).toBe(formats.moment(at));
    expect(formats.moment(at)).toContain(formats.zoneName());
    expect(instantFrom(formats.iso(at)).epochNanos).toBe(at.epochNanos);
  });
});
