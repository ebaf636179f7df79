export { AgGridLiveTable, type AgGridLiveTableOptions, type AgGridRow } from './ag-grid-live-table';
