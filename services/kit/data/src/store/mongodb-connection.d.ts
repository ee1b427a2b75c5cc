/** The part of the driver's connection that `closed-sockets.ts` completes. The driver has no types for its own modules. */
declare module 'mongodb/lib/cmap/connection.js' {
  export class Connection {
    readonly socket: import('node:net').Socket;
    readonly closed: boolean;
    /** Closes the connection, unless it is closed, and rejects the command that waits for its reply with the error. */
    cleanup(error: Error): void;
  }
}
