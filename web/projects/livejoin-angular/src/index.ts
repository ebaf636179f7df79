export { injectConnection, type ConnectionRef } from './inject-connection';
export { injectLiveTable, type LiveTable, type LiveTableOptions, type OrSignal } from './inject-live-table';
export { cellText, isNumeric, type CellText } from './live-table/cell-text';
export { GridPosition } from './live-table/grid-position';
export { LiveGrid, type ColumnMark, type SortPress } from './live-table/live-grid';
export { LiveTableComponent } from './live-table/live-table';
export {
  LIVEJOIN_HUB,
  provideLivejoin,
  withEnvironment,
  withTableServer,
  withTimings,
  type LivejoinConfig,
  type LivejoinFeature,
  type LivejoinTimings,
} from './provide-livejoin';
export {
  cellOf,
  instantFrom,
  instantOf,
  type CellChange,
  type CellValue,
  type Column,
  type ColumnKind,
  type ConnectionState,
  type Environment,
  type FilterBy,
  type FilterCondition,
  type FilterOperand,
  type Instant,
  type LiveRow,
  type RowWindow,
  type SortBy,
  type TableServer,
  type ViewSnapshot,
  type ViewState,
} from 'livejoin-client';
