export { LiveTableDataSource } from './live-table-data-source';
