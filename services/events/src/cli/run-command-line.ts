import { earlierTime, openStore, storeShape } from '@florin/data/store';
import { type Environment, loadConfig } from '@florin/rpc/config';
import { createLogger } from '@florin/rpc/observe';
import { ArchiveError } from '../archive/archive-error.ts';
import { archiveFeed } from '../archive/archive-feed.ts';
import { checkArchive } from '../archive/check-archive.ts';
import { retentionShape } from '../config.ts';
import { createArchiveStore } from '../store/archives.ts';
import { createBlockStore } from '../store/blocks.ts';

const USAGE = `usage: npm run events -- <command>
  archive DIRECTORY
  verify DIRECTORY
archive moves the events that are older than RETENTION_EVENTS_DAYS into files. verify reads the files and needs no database.`;

const DAY_MS = 24 * 60 * 60 * 1000;

const configShape = {
  ...storeShape,
  MONGODB_DATABASE: storeShape.MONGODB_DATABASE.default('florin_events'),
  ...retentionShape,
} as const;

export type CommandLine = {
  args: readonly string[];
  environment: Environment;
  now: () => Date;
  /** Where results go, and where errors go. */
  out: { write: (text: string) => unknown };
  err: { write: (text: string) => unknown };
};

type Say = (line: string) => void;

const archive = async (directory: string, { environment, now }: CommandLine, say: Say): Promise<void> => {
  const config = loadConfig(configShape, environment);
  const logger = createLogger('events-cli', 'silent');
  const store = await openStore({ uri: config.MONGODB_URI, database: config.MONGODB_DATABASE, poolSize: 2, logger });
  try {
    const [blocks, archives] = [createBlockStore(store.connection), createArchiveStore(store.connection)];
    await store.ready();
    const before = new Date((await earlierTime(store.connection, now)).getTime() - config.RETENTION_EVENTS_DAYS * DAY_MS);
    for (const feed of await blocks.feeds()) {
      const file = await archiveFeed({ feed, directory, before, blocks, archives });
      say(file === undefined ? `${feed}: nothing to archive` : `${feed}: events ${file.first} to ${file.last} are in ${file.name}`);
    }
  } finally {
    await store.close();
  }
};

const verify = async (directory: string, say: Say): Promise<void> => {
  for (const { feed, files, first, last } of await checkArchive(directory)) {
    say(`${feed}: events ${first} to ${last} in ${files} ${files === 1 ? 'file' : 'files'}, none missing`);
  }
};

/** Runs `npm run events -- …`. @returns exit code 0: done. 1: failed, or something is missing. 2: not understood */
export const runCommandLine = async (line: CommandLine): Promise<number> => {
  const { args, out, err } = line;
  const say: Say = (text) => void out.write(`${text}\n`);
  const [command, directory = ''] = args;
  try {
    if (args.length === 2 && command === 'archive') await archive(directory, line, say);
    else if (args.length === 2 && command === 'verify') await verify(directory, say);
    else {
      err.write(`${USAGE}\n`);
      return 2;
    }
    return 0;
  } catch (error) {
    const code = error instanceof ArchiveError ? `${error.code}: ` : '';
    err.write(`events: ${code}${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
};
