export { LiveTableDatasource, type AgGridRow } from './live-table-datasource';
