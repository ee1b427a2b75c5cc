import type { Report } from './report.ts';

/** The needs of the steps that prepare programs and images before the cluster starts. */
export type Preparation = {
  /** Directory of the machine for what is expensive to make. */
  cacheDir: string;
  /** Root directory of the checkout. */
  rootDir: string;
  env: NodeJS.ProcessEnv;
  report: Report;
  signal: AbortSignal;
};
