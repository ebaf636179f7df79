export { injectConnection, type ConnectionRef } from './inject-connection';
export { injectLiveTable, type LiveTable, type LiveTableOptions } from './inject-live-table';
export { LIVEJOIN_HUB, provideLivejoin } from './provide-livejoin';
export {
  cellOf,
  type CellValue,
  type Column,
  type ColumnKind,
  type ConnectionState,
  type LivejoinSettings,
  type LiveRow,
  type RowWindow,
  type ViewSnapshot,
  type ViewState,
} from 'livejoin-client';
