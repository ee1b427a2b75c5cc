import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, writeFileSync } from 'node:fs';

/**
 * A program for the supervisor's tests, steered by its arguments (`key=value`):
 *   ready=FILE     writes its pid there as soon as it works
 *   stopped=FILE   appends its name there when it stops on SIGTERM
 *   name=NAME
 *   fail=TEXT      prints TEXT to stderr and exits with code 3
 *   fail-if=FILE   fails only while FILE exists
 *   stubborn=yes   ignores SIGTERM
 *   child=FILE     starts a child of its own and writes that one's pid there
 *   never=yes      never gets ready
 */
const options = new Map(process.argv.slice(2).map((argument) => argument.split('=', 2) as [string, string]));
const option = (name: string): string | undefined => options.get(name);

const failIf = option('fail-if');
const failure = option('fail');
if (failure !== undefined && (failIf === undefined || existsSync(failIf))) {
  process.stderr.write(`${failure}\n`);
  process.exit(3);
}

process.on('SIGTERM', () => {
  if (option('stubborn') === 'yes') return;
  const stopped = option('stopped');
  if (stopped !== undefined) appendFileSync(stopped, `${option('name')}\n`);
  process.exit(0);
});
process.on('disconnect', () => process.exit(0));

const child = option('child');
if (child !== undefined) {
  const { pid } = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  writeFileSync(child, String(pid));
}
const ready = option('ready');
if (ready !== undefined && option('never') !== 'yes') writeFileSync(ready, String(process.pid));
setInterval(() => undefined, 1_000);
