export { injectTableExport, TableExport, type ExportState } from './table-export';
export { injectConnection, type ConnectionRef } from './inject-connection';
export { injectDeclaration } from './inject-declaration';
export {
  injectLiveTable,
  type ColumnName,
  type LiveTable,
  type LiveTableOptions,
  type OrSignal,
} from './inject-live-table';
export { cellText, exactText, isNumeric, type CellText } from './live-table/cell-text';
export { GridPosition } from './live-table/grid-position';
export { LiveGrid, type ColumnMark, type SortPress } from './live-table/live-grid';
export {
  movedTo,
  resized,
  shownColumns,
  simplified,
  toggled,
  type ColumnChoice,
  type ColumnPlace,
  type ShownColumn,
} from './live-table/shown-columns';
export { LiveTableComponent } from './live-table/live-table';
export type { NamedRow } from './named-row';
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
  browserEnvironment,
  cellOf,
  instantFrom,
  instantOf,
  LivejoinHub,
  spreadsheetText,
  tablesOf,
  type CellChange,
  type CellValue,
  type Column,
  type ColumnKind,
  type ConnectionState,
  type FileFormat,
  type CopiedRows,
  type Declaration,
  type DeclaredSource,
  type Environment,
  type FilterBy,
  type FilterCondition,
  type FilterOperand,
  type Instant,
  type Keep,
  type LiveRow,
  type Rights,
  type Role,
  type RowWindow,
  type SortBy,
  type TableFile,
  type TableServer,
  type ViewDescription,
  type ViewSnapshot,
  type ViewState,
} from 'livejoin-client';
export { visibleText } from './visible-text';
