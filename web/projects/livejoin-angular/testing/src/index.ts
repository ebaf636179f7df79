export { COLUMNS, DECLARATION, FakeEnvironment, FakeTableServer, settle } from 'livejoin-client/testing';
export { provideFakeLivejoin } from './provide-fake-livejoin';
