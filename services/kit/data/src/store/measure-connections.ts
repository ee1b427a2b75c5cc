import type { Metrics } from '@florin/rpc/metrics';
import type { Connection } from 'mongoose';

/** Measures the pool of connections to the engine: one that is always full delays every command. */
export const measureConnections = ({ gauge, counter }: Metrics, connection: Connection): void => {
  let inUse = 0;
  let waiting = 0;
  gauge('florin_mongodb_connections_in_use', 'Connections to MongoDB on which a command runs', () => inUse);
  gauge('florin_mongodb_connections_waiting', 'Commands that wait for a connection to MongoDB', () => waiting);
  const failed = counter('florin_mongodb_check_out_failures_total', 'Commands that got no connection to MongoDB in time');
  const client = connection.getClient();
  client.on('connectionCheckOutStarted', () => {
    waiting += 1;
  });
  client.on('connectionCheckedOut', () => {
    waiting -= 1;
    inUse += 1;
  });
  client.on('connectionCheckedIn', () => {
    inUse -= 1;
  });
  client.on('connectionCheckOutFailed', () => {
    waiting -= 1;
    failed();
  });
};
