/** A field that a request has wrong: its path in names of the contract, for example `entries[0].transfers[2].amount`, and the problem. */
export type Violation = { field: string; problem: string };

/** More are of no use to a reader, and the list travels in a header. */
export const MAX_VIOLATIONS = 10;

/** Converts a path such as `newEntries.0.holdId` to the names of the contract, `new_entries[0].hold_id`, which stay as they are. */
export const toProtoPath = (path: string): string =>
  path.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replace(/\.(\d+)(?=\.|$)/g, '[$1]');

const PROBLEM = /^([\w.[\]-]+): (.+)$/s;

/** Reads the message of a VALIDATION_FAILED error, `<path>: <problem>; …`. A text without a path is a problem of the whole request. */
export const readViolations = (message: string): Violation[] =>
  message.split('; ').map((text) => {
    const [, path, problem] = PROBLEM.exec(text) ?? [];
    return path === undefined || problem === undefined ? { field: '', problem: text } : { field: toProtoPath(path), problem };
  });
