import { closeSync, openSync, readFileSync, readSync } from 'node:fs';

const CHUNK_BYTES = 4 * 1024 * 1024;

type Region = { start: number; end: number };

/** The writable memory of a process that it has used: heap, stacks, and what else it has written (Linux, proc(5), smaps). */
const writtenRegions = (pid: number): Region[] =>
  readFileSync(`/proc/${pid}/smaps`, 'utf8')
    .split(/\n(?=[0-9a-f]+-[0-9a-f]+ )/)
    .flatMap((region) => {
      const [, start = '', end = ''] = /^([0-9a-f]+)-([0-9a-f]+) rw/.exec(region) ?? [];
      // Memory that was reserved and never touched holds nothing.
      if (start === '' || /^(?:Rss|Swap): +[1-9]/m.test(region) === false) return [];
      return [{ start: Number.parseInt(start, 16), end: Number.parseInt(end, 16) }];
    });

/** Memory in which a process is resident, or the most that it was (Linux, proc(5), status), in MiB. */
export const residentMebibytes = (pid: number, which: 'VmRSS' | 'VmHWM' = 'VmRSS'): number =>
  Number(new RegExp(`^${which}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

/** Reports whether this machine lets a process read the memory of its children. */
export const canReadMemory = (pid: number): boolean => {
  try {
    closeSync(openSync(`/proc/${pid}/mem`, 'r'));
    return true;
  } catch {
    return false;
  }
};

/** Returns which of the texts occur in the memory of a process, as one byte or two bytes a character, as V8 stores strings. */
export const findInMemory = (pid: number, texts: readonly string[]): Set<string> => {
  const needles = texts.flatMap((text) => [
    { text, bytes: Buffer.from(text, 'latin1') },
    { text, bytes: Buffer.from(text, 'utf16le') },
  ]);
  const overlap = Math.max(...needles.map(({ bytes }) => bytes.length)) - 1;
  const found = new Set<string>();
  const memory = openSync(`/proc/${pid}/mem`, 'r');
  const buffer = Buffer.alloc(CHUNK_BYTES);
  try {
    for (const { start, end } of writtenRegions(pid)) {
      for (let from = start; from < end; from += CHUNK_BYTES - overlap) {
        let size: number;
        try {
          size = readSync(memory, buffer, 0, Math.min(CHUNK_BYTES, end - from), from);
        } catch {
          // The region was unmapped in the meantime.
          break;
        }
        const chunk = buffer.subarray(0, size);
        for (const { text, bytes } of needles) if (!found.has(text) && chunk.includes(bytes)) found.add(text);
      }
    }
  } finally {
    closeSync(memory);
  }
  return found;
};
