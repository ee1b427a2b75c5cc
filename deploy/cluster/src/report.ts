/** Receives one line of progress. */
export type Report = (line: string) => void;

/** The message of a thrown value on one line. */
export const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).trim().replace(/\s*\n\s*/g, ' | ');
