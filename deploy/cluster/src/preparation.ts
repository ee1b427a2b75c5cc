import type { Report } from './report.ts';

/** What the steps need that get programs and images ready, before the cluster starts. */
export type Preparation = {
  /** Directory of the machine for what is expensive to make. */
  cacheDir: string;
  /** Root directory of the checkout. */
  rootDir: string;
  env: NodeJS.ProcessEnv;
  report: Report;
  signal: AbortSignal;
};
