import { findDebianProgram } from '../find-debian-program.ts';

/** A program of Prometheus, or undefined, after one line that says why, where it cannot be had. */
export const findPrometheus = (name: 'prometheus' | 'promtool', report: (line: string) => void): Promise<string | undefined> =>
  findDebianProgram({ name, from: 'prometheus' }, report);
