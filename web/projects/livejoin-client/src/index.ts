export type { ConnectionState } from './connection/connection-state';
export { tablesOf, type Declaration, type DeclaredSource, type Keep } from './declaration';
export {
  browserEnvironment,
  type Environment,
  type Socket,
  type SocketListener,
  type TimerId,
} from './environment';
export { DeadlineError, KeyRefusedError, LivejoinError, ServerError, SettingsError } from './errors';
export { exactText } from './export/exact-text';
export type { FileFormat } from './export/file-format';
export { spreadsheetText } from './export/spreadsheet-text';
export { tableFile, type FileProgress, type TableFile } from './export/table-file';
export { LivejoinHub, type HubParts } from './hub';
export { instantFrom, instantOf } from './instant';
export { keyPlaces } from './view/key-places';
export type { CellChange, LiveRow } from './view/live-row';
export type { CopiedRows } from './export/row-copy';
export type { RowWindow } from './view/row-window';
export type { LivejoinSettings } from './settings';
export { stillEnvironment } from './still-environment';
export { Subscribable } from './subscribable';
export type {
  CellValue,
  Column,
  ColumnKind,
  Generation,
  Instant,
  Page,
  Rights,
  Role,
  Session,
  TableHandle,
  TableServer,
} from './table-server';
export {
  viewKey,
  type FilterBy,
  type FilterCondition,
  type FilterOperand,
  type SortBy,
  type View,
  type ViewDescription,
} from './view/view-description';
export type { ViewObserver } from './view/view-observer';
export { cellOf, emptySnapshot, type ViewSnapshot, type ViewState } from './view/view-snapshot';
export { isoIn, zonedTime, type ZoneChoice, type ZonedTime } from './zone';
