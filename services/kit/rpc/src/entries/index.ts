export { createEntriesClient, type EntriesClient } from './entries-client.ts';
