import { createReadStream } from 'node:fs';
import { readCamt053 } from './camt053.ts';
import { readCsv } from './csv.ts';
import type { FileRecord } from './file-record.ts';

/**
 * Reads the records of a file as they come: an ISO 20022 bank statement (camt.053, `.xml`), or the CSV format of README.md. What was read before a fault may be imported:
 * the corrected file repeats it.
 * @param source issuer of records that state none
 * @throws FileError
 */
export const readRecords = (path: string, source: string): AsyncIterable<FileRecord> => {
  const text = createReadStream(path, 'utf8');
  return path.toLowerCase().endsWith('.xml') ? readCamt053(text, source) : readCsv(text, source);
};
