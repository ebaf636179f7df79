import type { EnvironmentProviders, Signal } from '@angular/core';
import type {
  CellValue,
  ConnectionState,
  FilterBy,
  injectLiveTable,
  LiveTable,
  LiveTableOptions,
  NamedRow,
  provideLivejoin,
  Rights,
  ViewState,
} from 'livejoin-angular';
import type { Observable } from 'rxjs';
import { describe, expectTypeOf, it } from 'vitest';

describe('the types of the library', () => {
  it('tell the states of a connection apart', () => {
    expectTypeOf<ConnectionState['kind']>().toEqualTypeOf<
      'idle' | 'connecting' | 'live' | 'reconnecting' | 'refused' | 'failed'
    >();
    expectTypeOf<Extract<ConnectionState, { kind: 'refused' }>['reason']>().toEqualTypeOf<string>();
    expectTypeOf<Extract<ConnectionState, { kind: 'live' }>['rights']>().toEqualTypeOf<Rights>();
    expectTypeOf<Rights['role']>().toEqualTypeOf<'viewer' | 'operator'>();
  });

  it('give signals and a stream of the same rows', () => {
    expectTypeOf<LiveTable['rows']>().toEqualTypeOf<Signal<readonly NamedRow[]>>();
    expectTypeOf<LiveTable['rows$']>().toEqualTypeOf<Observable<readonly NamedRow[]>>();
    expectTypeOf<LiveTable['age']>().toEqualTypeOf<Signal<number | null>>();
    expectTypeOf<LiveTable['error']>().toEqualTypeOf<Signal<string | null>>();
    expectTypeOf<LiveTable['state']>().toEqualTypeOf<Signal<ViewState>>();
  });

  it('know the columns of an application that says which it has', () => {
    interface User {
      readonly userId: string;
      readonly age: number | bigint | null;
    }
    expectTypeOf<LiveTable<User>['rows']>().toEqualTypeOf<Signal<readonly NamedRow<User>[]>>();
    expectTypeOf<NamedRow<User>['values']['age']>().toEqualTypeOf<number | bigint | null>();
    expectTypeOf<NamedRow['values'][string]>().toEqualTypeOf<CellValue>();
    expectTypeOf<{ columns: ['age'] }>().toExtend<LiveTableOptions<User>>();
    expectTypeOf<{ columns: ['agee'] }>().not.toExtend<LiveTableOptions<User>>();
    expectTypeOf<{ sort: [{ column: 'agee'; direction: 'ascending' }] }>().not.toExtend<
      LiveTableOptions<User>
    >();
    expectTypeOf<{ filter: [{ column: 'agee'; is: 'null' }] }>().not.toExtend<LiveTableOptions<User>>();
    expectTypeOf<LiveTable<User>>().toExtend<LiveTable<unknown>>();
  });

  it('take values and signals alike', () => {
    expectTypeOf<Parameters<typeof injectLiveTable>[0]>().toEqualTypeOf<string | (() => string)>();
    expectTypeOf<{ window: null; sort: () => undefined }>().toExtend<LiveTableOptions>();
    expectTypeOf<{ window: { first: string } }>().not.toExtend<LiveTableOptions>();
  });

  it('let no filter pass that the server could not be asked', () => {
    expectTypeOf<{ column: string; is: 'greater'; to: bigint }>().toExtend<FilterBy>();
    expectTypeOf<{ column: string; is: 'greater' }>().not.toExtend<FilterBy>();
    expectTypeOf<{ column: string; is: 'like'; to: string }>().not.toExtend<FilterBy>();
  });

  it('need a URL, and no key', () => {
    expectTypeOf<{ url: string }>().toExtend<Parameters<typeof provideLivejoin>[0]>();
    expectTypeOf<{ key: string }>().not.toExtend<Parameters<typeof provideLivejoin>[0]>();
    expectTypeOf<ReturnType<typeof provideLivejoin>>().toEqualTypeOf<EnvironmentProviders>();
  });
});
