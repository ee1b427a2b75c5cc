import { processEnvironment } from './environment.ts';
import { runMain } from './run-main.ts';
import { verifyAuditLogs } from './verify-audit-logs.ts';

/** `npm run audit-log`: prints what `verifyAuditLogs` finds in the logs of the running platform, and exits with 1 if one is not intact. */
const print = (line: string): void => void process.stdout.write(`${line}\n`);

runMain(async () => ((await verifyAuditLogs(process.argv.slice(2), processEnvironment(), print)) ? 0 : 1));
