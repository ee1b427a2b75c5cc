import { mongo } from 'mongoose';
import type { Write } from './copies.ts';

type Document = mongo.Document;

/** Documents of a first batch whose size the client does not name. */
const FIRST_BATCH = 101;

const NOT_FOUND: Document = { ok: 0, code: 43, codeName: 'CursorNotFound', errmsg: 'cursor id not found' };

const numberOr = (value: unknown, otherwise: number): number => (value === undefined ? otherwise : Number(value));

/** Results that are handed out in batches. */
export class Cursors {
  readonly #rest = new Map<string, { namespace: string; documents: Document[] }>();
  #opened = 0;

  /** Replies to a command with its first batch. */
  open({ database, command }: Write, documents: Document[]): Document {
    const [name = ''] = Object.keys(command);
    const collection = typeof command[name] === 'string' ? command[name] : `$cmd.${name}`;
    const namespace = `${database}.${collection}`;
    const size = numberOr(command['batchSize'] ?? command['cursor']?.batchSize, FIRST_BATCH);
    const firstBatch = documents.splice(0, size);
    if (documents.length === 0 || command['singleBatch'] === true)
      return { cursor: { id: mongo.Long.ZERO, ns: namespace, firstBatch }, ok: 1 };
    this.#opened += 1;
    const id = mongo.Long.fromNumber(this.#opened);
    this.#rest.set(id.toString(), { namespace, documents });
    return { cursor: { id, ns: namespace, firstBatch }, ok: 1 };
  }

  /** Replies to a getMore. */
  more(command: Document): Document {
    const id = command['getMore'] as mongo.Long;
    const rest = this.#rest.get(String(id));
    if (rest === undefined) return NOT_FOUND;
    const nextBatch = rest.documents.splice(0, numberOr(command['batchSize'], rest.documents.length));
    const isEnd = rest.documents.length === 0;
    if (isEnd) this.#rest.delete(String(id));
    return { cursor: { id: isEnd ? mongo.Long.ZERO : id, ns: rest.namespace, nextBatch }, ok: 1 };
  }

  /** Forgets all, as a member does that steps down. */
  clear(): void {
    this.#rest.clear();
  }
}
