import type { mongo } from 'mongoose';

/** The actions on a collection that commands need (MongoDB's manual, "Privilege Actions"). */
const ACTIONS: Readonly<Record<string, readonly string[]>> = {
  find: ['find'],
  aggregate: ['find'],
  count: ['find'],
  distinct: ['find'],
  insert: ['insert'],
  delete: ['remove'],
  create: ['createCollection'],
  createIndexes: ['createIndex'],
  dropIndexes: ['dropIndex'],
  listIndexes: ['listIndexes'],
  listCollections: ['listCollections'],
};

/** Commands that need no right to a collection. */
const FREE: ReadonlySet<string> = new Set([
  ...['ping', 'hello', 'ismaster', 'endSessions', 'getMore', 'killCursors', 'serverStatus', 'connectionStatus'],
  ...['saslStart', 'saslContinue', 'commitTransaction', 'abortTransaction'],
]);

type Update = { upsert?: boolean };

const actionsOf = (name: string, command: mongo.Document): readonly string[] => {
  const updating = (upsert: boolean) => (upsert ? ['find', 'update', 'insert'] : ['find', 'update']);
  if (name === 'update') return updating((command['updates'] as Update[]).some(({ upsert }) => upsert === true));
  if (name === 'findAndModify') return command['remove'] === true ? ['find', 'remove'] : updating(command['upsert'] === true);
  const actions = ACTIONS[name];
  if (actions === undefined) throw new Error(`which rights does ${name} need?`);
  return actions;
};

/** The rights that commands need, each once: an action on a collection of a database, which is empty where the database itself is meant. */
export const neededRights = (commands: readonly mongo.Document[]): { db: string; collection: string; action: string }[] => {
  const rights = new Map<string, { db: string; collection: string; action: string }>();
  for (const command of commands) {
    const [name = '', value] = Object.entries(command)[0] ?? [];
    if (FREE.has(name)) continue;
    const place = { db: String(command['$db']), collection: typeof value === 'string' ? value : '' };
    for (const action of actionsOf(name, command)) rights.set(JSON.stringify([place, action]), { ...place, action });
  }
  return [...rights.values()];
};
