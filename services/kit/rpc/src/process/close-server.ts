import type { Server as HttpServer } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import { setImmediate as turn } from 'node:timers/promises';

const SWEEP_MS = 50;

/**
 * Stops accepting connections, closes idle ones, and waits until the last one is closed. Requests that have arrived are read first: a timer
 * that is late, because the process was busy, runs before the sockets are read, and a connection whose request nobody has read looks idle.
 */
export const closeServer = async (server: HttpServer | HttpsServer): Promise<void> => {
  // The first ends the turn in which this was called, the second one follows a reading of all sockets.
  await turn();
  await turn();
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // Connections become idle as running requests end.
  const sweep = setInterval(() => void turn().then(() => server.closeIdleConnections()), SWEEP_MS);
  await closed;
  clearInterval(sweep);
};
