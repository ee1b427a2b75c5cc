import type { Connection } from 'mongoose';

/** Returns the time of the engine's clock. */
export const engineTime = async (connection: Connection): Promise<Date> => {
  const { localTime } = (await connection.db?.command({ hello: 1 })) ?? {};
  if (!(localTime instanceof Date)) throw new Error('the engine did not state its time');
  return localTime;
};

/**
 * Returns the earlier of a process's time and the engine's, for work that destroys what is old enough: a clock that is ahead destroys nothing
 * before its time.
 */
export const earlierTime = async (connection: Connection, now: () => Date): Promise<Date> =>
  new Date(Math.min(now().getTime(), (await engineTime(connection)).getTime()));
