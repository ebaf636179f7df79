// @vitest-environment happy-dom
import { FakeApplication } from '../../../projects/livejoin-angular/test/angular';
import { TestBed } from '@angular/core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ExportChoice } from '../../../src/app/grid/export-choice';
import { EXPORT_KINDS } from '../../../src/app/grid/export-kind';

describe('what is chosen about files', () => {
  let application: FakeApplication;

  beforeEach(() => {
    application = new FakeApplication();
  });

  afterEach(() => {
    TestBed.inject(ExportChoice).keepFormulas(false);
    application.destroy();
  });

  it('has formulas as text, until somebody wants them, and remembers that', () => {
    const formats = (): unknown[] => EXPORT_KINDS.map((kind) => TestBed.inject(ExportChoice).formatOf(kind));
    expect(formats()).toMatchObject([{ isSafe: true }, { isSafe: true }, { format: 'json-lines' }]);
    TestBed.inject(ExportChoice).keepFormulas(true);
    application.destroy();
    application = new FakeApplication();
    expect(TestBed.inject(ExportChoice).keepsFormulas()).toBe(true);
    expect(formats()).toMatchObject([{ isSafe: false }, { isSafe: false, hasByteOrderMark: true }, {}]);
  });
});
