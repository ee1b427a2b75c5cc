import { ConfigError, loadConfig, processEnvironment } from '@florin/rpc/config';
import { createLogger } from '@florin/rpc/observe';
import { openStore, storeShape } from '../store/index.ts';
import { migrate } from './migrate.ts';
import type { Schema } from './schema.ts';

/**
 * Runs the migrations of a service's database and ends the process: the program behind `npm run migrate` and the Job of a cluster. Arguments:
 * `--dry-run` reports what is due, `--contract` also runs migrations after which earlier releases cannot work. Exit codes are those of a service.
 */
export const runMigrations = async (service: string, schema: Schema): Promise<never> => {
  const report = (line: string): void => void process.stdout.write(`${service}: ${line}\n`);
  const args = process.argv.slice(2);
  try {
    const shape = { ...storeShape, MONGODB_DATABASE: storeShape.MONGODB_DATABASE.default(`florin_${service}`) };
    const config = loadConfig(shape, processEnvironment());
    const unknown = args.find((arg) => arg !== '--dry-run' && arg !== '--contract');
    if (unknown !== undefined) throw new ConfigError(`unknown argument ${unknown}; known are --dry-run and --contract`);
    const { connection, close } = await openStore({
      uri: config.MONGODB_URI,
      database: config.MONGODB_DATABASE,
      poolSize: 2,
      logger: createLogger(service, 'warn'),
    });
    const modes = { dryRun: args.includes('--dry-run'), contract: args.includes('--contract') };
    const version = await migrate({ connection, schema, report, ...modes });
    report(`the database has schema ${version}`);
    await close();
    return process.exit(0);
  } catch (error) {
    process.stderr.write(`${service}: ${error instanceof Error ? error.message : String(error)}\n`);
    return process.exit(error instanceof ConfigError ? 78 : 1);
  }
};
