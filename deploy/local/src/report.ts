/** Receives one line of progress; the caller decides where to print it. */
export type Report = (line: string) => void;

/** Prefixes every line with a subject, so that the output of concurrent steps can be told apart. */
export const prefixed = (report: Report, subject: string): Report => {
  return (line) => report(`${subject}: ${line}`);
};

/** Returns the message of a thrown value as a single line, without a stack trace. */
export const reasonOf = (error: unknown): string => {
  const text = error instanceof Error ? error.message : String(error);
  return text.trim().replace(/\s*\n\s*/g, ' | ');
};
