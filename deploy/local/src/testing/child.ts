import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, writeFileSync } from 'node:fs';

/**
 * A program for the supervisor's tests, controlled by its arguments (`key=value`):
 *   name=NAME
 *   ready=FILE     writes its pid to FILE when it is ready
 *   never=yes      never becomes ready
 *   stopped=FILE   appends its name to FILE when it stops on SIGTERM
 *   stubborn=yes   ignores SIGTERM
 *   fail=TEXT      prints TEXT to stderr and exits with code 3
 *   fail-if=FILE   fails only while FILE exists
 *   child=FILE     starts a child process and writes its pid to FILE
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
