export { FakeEnvironment, settle } from './fake-environment';
export { COLUMNS, FakeSession, FakeTable, FakeTableServer } from './fake-table-server';
