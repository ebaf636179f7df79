export { FakeEnvironment, settle } from './fake-environment';
export { COLUMNS, DECLARATION, FakeSession, FakeTable, FakeTableServer } from './fake-table-server';
