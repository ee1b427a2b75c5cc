import { Connection } from 'mongodb/lib/cmap/connection.js';

/**
 * Ends the commands that wait until a socket takes more, once the socket has closed.
 *
 * The driver (mongodb 7.8 and 7.9) waits for the event `drain` after a write that the socket did not take at once, with no limit of time, and a socket that
 * is destroyed without an error never emits it. That happens when the engine's process ends: of several connections that close in one turn of the event
 * loop, the driver learns of the first one while another one is destroyed and has not said so yet. The command that it sends there is never answered: an
 * operation hangs, and where it is the check of the monitor, the engine is taken for unavailable until the process is restarted.
 */
export const endWritesToClosedSockets = (): void => {
  const { cleanup } = Connection.prototype;
  Connection.prototype.cleanup = function (this: Connection, error: Error): void {
    const wasClosed = this.closed;
    cleanup.call(this, error);
    // Waiting callers look at the connection next, and find it closed.
    if (!wasClosed) this.socket.emit('drain');
  };
};
