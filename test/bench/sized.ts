/** True for `--short`: a run that shows that the benchmark ends, and whose figures mean nothing. */
export const IS_SHORT = process.argv.includes('--short');

/** Returns how many of something a benchmark takes, or for how long: the `full` number, or the `short` one of a short run. */
export const sized = (full: number, short: number): number => (IS_SHORT ? short : full);
