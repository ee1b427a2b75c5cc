import { resolve } from 'node:path';
import { reasonOf } from './report.ts';

/** The directory of the repository. */
export const ROOT_DIR = resolve(import.meta.dirname, '../../..');

/**
 * Runs a command, whose result is its exit code. A failure is printed as one line, with exit code 1.
 * @param end ends the process; default: as soon as nothing is left to do
 */
export const runMain = (
  main: () => Promise<number>,
  end: (code: number) => void = (code) => {
    process.exitCode = code;
  },
): void => {
  main().then(end, (error: unknown) => {
    process.stderr.write(`${reasonOf(error)}\n`);
    end(1);
  });
};
