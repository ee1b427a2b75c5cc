import { openDataDir } from '../data-dir.ts';
import { createSupervisor } from '../supervisor.ts';
import { childSpec } from './child-spec.ts';

/** A launcher for tests that kill it: `launcher.ts DATA_DIR [ipc]` supervises one child and prints `up`. */
const [path = '', ipc] = process.argv.slice(2);
const dataDir = await openDataDir(path, () => undefined);
const supervisor = createSupervisor({ runDir: dataDir.runDir, logsDir: dataDir.logsDir, report: () => undefined });
await supervisor.start({ ...childSpec('worker', dataDir.path), ipc: ipc === 'ipc' });
process.stdout.write('up\n');
