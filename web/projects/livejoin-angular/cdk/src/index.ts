export { CdkLiveTable } from './cdk-live-table';
