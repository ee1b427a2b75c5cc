import type { Connection, mongo } from 'mongoose';

/** Adds the option to a URI by which the driver tells of its commands. */
export const observedUri = (uri: string): string => `${uri}${uri.includes('?') ? '&' : '/?'}monitorCommands=true`;

/** Collects the commands that a connection to an `observedUri` sends. @returns them, in their order, by calling it; what was returned is forgotten */
export const observeCommands = (connection: Connection): (() => mongo.Document[]) => {
  const commands: mongo.Document[] = [];
  connection.getClient().on('commandStarted', ({ command }) => {
    commands.push(command);
  });
  return () => commands.splice(0);
};
