import { openDataDir } from '../data-dir.ts';
import { Supervisor } from '../supervisor.ts';
import { childSpec } from './child-spec.ts';

/** A launcher for the tests that kill it: `launcher.ts <data directory> [ipc]` supervises one child and prints `up`. */
const [path = '', ipc] = process.argv.slice(2);
const dataDir = await openDataDir(path, () => undefined);
const supervisor = new Supervisor({ runDir: dataDir.runDir, logsDir: dataDir.logsDir, report: () => undefined });
await supervisor.start({ ...childSpec('worker', dataDir.path), ipc: ipc === 'ipc' });
process.stdout.write('up\n');
