import { processEnvironment } from '@florin/rpc/config';
import { runCommandLine } from './run-command-line.ts';

const { stdout: out, stderr: err } = process;
process.exit(await runCommandLine({ args: process.argv.slice(2), environment: processEnvironment(), now: () => new Date(), out, err }));
