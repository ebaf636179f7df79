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
export { LivejoinFormats, type CellFormat } from './formats';
export { cellText, isNumeric, type CellText } from './live-table/cell-text';
export { GridPosition } from './live-table/grid-position';
export { CellTemplate, type CellContext } from './live-table/cell-template';
export type { CellFormatter } from './live-table/cell-writer';
export type { ColumnMark, GridSelection, MenuWish, RowPress, SortPress } from './live-table/grid-events';
export { LiveGrid } from './live-table/live-grid';
export {
  movedTo,
  pinned,
  resized,
  shownColumns,
  simplified,
  toggled,
  unpinned,
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
  exactText,
  instantFrom,
  instantOf,
  isoIn,
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
  type ZoneChoice,
} from 'livejoin-client';
export { ColumnFilter } from './table-parts/column-filter';
export { ColumnList } from './table-parts/column-list';
export { ColumnMenu } from './table-parts/column-menu';
export { Glyph } from './table-parts/glyph';
export { PauseButton } from './table-parts/pause-button';
export { Popover } from './table-parts/popover';
export { TablePager } from './table-parts/table-pager';
export { TableSearch } from './table-parts/table-search';
export { ViewChips, type ChipPress } from './table-parts/view-chips';
export { ZoneSwitch } from './table-parts/zone-switch';
export { injectTableView, type ChoiceKeeper, type TableView } from './table-view/inject-table-view';
export { Pause } from './table-view/pause';
export { conditionOf, type TypedFilter } from './table-view/typed-filter';
export { ViewAddress } from './table-view/view-address';
export { type ViewChip } from './table-view/view-chip';
export { AS_IT_IS, sortedBy, type ViewChoice } from './table-view/view-choice';
export { visibleText } from './visible-text';
export { ENGLISH, LIVEJOIN_WORDS, provideLivejoinWords, type LivejoinWords, type WriteCount } from './words';
