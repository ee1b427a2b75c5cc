/** Takes one finished progress line; the caller decides where it is printed. */
export type Report = (line: string) => void;

/** Puts a subject in front of every line, so that chains which run side by side stay readable. */
export function prefixed(report: Report, subject: string): Report {
  return (line) => report(`${subject}: ${line}`);
}

/** The message of anything thrown, on one line and without a stack. */
export function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.trim().replace(/\s*\n\s*/g, ' | ');
}
