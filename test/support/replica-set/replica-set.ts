import { setTimeout as pause } from 'node:timers/promises';
import { mongo } from 'mongoose';
import { Copies, type Write } from './copies.ts';
import { Cursors } from './cursors.ts';
import { startWireServer, type WireServer } from './wire.ts';

type Document = mongo.Document;

const MEMBERS = 2;
const NAME = 'florin';

const WRITES = new Set([
  'insert',
  'update',
  'delete',
  'findAndModify',
  'create',
  'createIndexes',
  'dropIndexes',
  'drop',
  'dropDatabase',
  'collMod',
]);
const CURSORS = new Set(['find', 'aggregate', 'listCollections', 'listIndexes']);

/** The collection that a write changes. */
const placeOf = ({ database, command }: Write): string => {
  const [name] = Object.values(command);
  if (typeof name !== 'string') throw new Error(`${Object.keys(command)[0]} cannot be undone`);
  return `${database}.${name}`;
};

const rejected = (code: number, codeName: string, errmsg: string): Document => ({ ok: 0, code, codeName, errmsg });
const NOT_PRIMARY = rejected(10_107, 'NotWritablePrimary', 'not primary');
const NO_SECONDARY_READS = rejected(13_435, 'NotPrimaryNoSecondaryOk', 'not primary and secondaryOk=false');
const INTERRUPTED = rejected(11_602, 'InterruptedDueToReplStateChange', 'operation was interrupted');
const TIMED_OUT = rejected(50, 'MaxTimeMSExpired', 'operation exceeded time limit');

/** How those learn of a step-down who wait for a majority. */
export type Interruption = 'connection' | 'error' | 'write-concern-error';

type Failover = {
  /** Part of the writes that wait for a majority which the next primary has, from 0 to 1. Default: none. */
  kept?: number;
  /** Acknowledges what is kept at the last moment: a majority has it, and until the next primary learns that, its majority reads miss it. Default: not acknowledged. */
  isAcknowledged?: boolean;
  interruption?: Interruption;
  /** Time without a primary, in milliseconds. */
  electionMs?: number;
  /** The former primary is cut off from the other members: it does not know that it was replaced, until `rejoin`. */
  isUnnoticed?: boolean;
};

type ReplicaSetOptions = {
  /** An engine of one node, which keeps the data. */
  mongodbUri: string;
  /** Time until a majority has a write, in milliseconds. */
  lagMs?: number;
};

type Waiting = { index: number; resolve: (isDurable: boolean) => void };

/**
 * A replica set as its clients see it, on an engine of one node. It keeps two copies of the data, the primary's, and what a majority has as far as the primary knows, and a log of the
 * writes in between. A failover cuts the log.
 *
 * A member behind the others, which has nothing, serves reads of those who prefer a secondary; and a primary that was replaced and does not know it serves to all what it had.
 */
export class ReplicaSet {
  readonly #copies: Copies;
  readonly #cursors = new Cursors();
  readonly #lagMs: number;
  #members: WireServer[] = [];
  /** Undefined during an election. */
  #primary: number | undefined = 0;
  /** A member that still believes to be the primary. */
  #replaced: number | undefined;
  #term = 1;
  #local: number;
  /** The state that a majority has, as far as the primary knows, and the number of writes that led to it. */
  #durable: { copy: number; index: number };
  /** The writes since then. */
  #log: Write[] = [];
  /** How many of these were acknowledged, and so are not lost. */
  #promised = 0;
  #behind: number;
  #waiting: Waiting[] = [];
  #interruption: Interruption = 'connection';
  #isHeld = false;
  #isPromising = false;
  #closed = false;
  #turn: Promise<unknown> = Promise.resolve();
  #following: Promise<void> = Promise.resolve();

  private constructor({ mongodbUri, lagMs = 2 }: ReplicaSetOptions) {
    this.#copies = new Copies(mongodbUri);
    this.#lagMs = lagMs;
    this.#local = this.#copies.create();
    this.#durable = { copy: this.#copies.create(), index: 0 };
    this.#behind = this.#copies.create();
  }

  static async start(options: ReplicaSetOptions): Promise<ReplicaSet> {
    const set = new ReplicaSet(options);
    for (let member = 0; member < MEMBERS; member += 1) {
      set.#members.push(await startWireServer((command) => set.#answer(member, command)));
    }
    set.#following = set.#follow();
    return set;
  }

  /** The connection string. Drivers look for a new primary as soon as they miss one. */
  uri(options = ''): string {
    return `mongodb://${this.#hosts().join()}/?replicaSet=${NAME}&heartbeatFrequencyMS=500${options}`;
  }

  /** The connection string of a client that reaches the present primary only. */
  uriOfPrimary(): string {
    return `mongodb://${this.#hosts()[this.#primary ?? 0]}/?directConnection=true&heartbeatFrequencyMS=500`;
  }

  /**
   * Keeps later writes from reaching a majority, until `release`.
   * @param isAcknowledged acknowledges them all the same: a majority has them, and it is the next primary that does not know it yet
   */
  hold({ isAcknowledged = false } = {}): void {
    this.#isHeld = true;
    this.#isPromising = isAcknowledged;
  }

  release(): void {
    this.#isHeld = false;
    this.#isPromising = false;
  }

  /** Number of writes that no majority has. */
  undecided(): number {
    return this.#log.length;
  }

  /** Replaces the primary by the other member, which does not have what no majority had, or only a part of it. @returns the number of writes that are lost */
  async failover(options: Failover = {}): Promise<number> {
    const { kept = 0, isAcknowledged = false, interruption = 'connection', electionMs = 50, isUnnoticed = false } = options;
    const former = this.#primary ?? 0;
    const count = await this.#exclusively(async () => {
      this.#primary = undefined;
      this.#term += 1;
      this.#interruption = interruption;
      const lost = this.#log.splice(Math.max(this.#promised, Math.floor(kept * this.#log.length)));
      if (isAcknowledged) this.#promised = this.#log.length;
      for (const { index, resolve } of this.#waiting.splice(0)) resolve(isAcknowledged && index <= this.#end());
      this.#cursors.clear();
      if (isUnnoticed) {
        await this.#copies.drop(this.#behind);
        this.#behind = await this.#copies.duplicate(this.#durable.copy);
        // Last: what it answers is whole.
        this.#replaced = former;
      }
      await this.#undo(lost);
      return lost.length;
    });
    if (interruption === 'connection' && !isUnnoticed) this.#members[former]?.cut();
    await pause(electionMs);
    this.#primary = 1 - former;
    return count;
  }

  /** Lets a primary that was replaced learn of it. */
  rejoin(): void {
    const replaced = this.#replaced;
    this.#replaced = undefined;
    if (replaced !== undefined) this.#members[replaced]?.cut();
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const { resolve } of this.#waiting.splice(0)) resolve(false);
    await this.#following;
    await Promise.all(this.#members.map((member) => member.close()));
    for (const copy of [this.#local, this.#durable.copy, this.#behind]) await this.#copies.drop(copy);
    await this.#copies.close();
  }

  #hosts(): string[] {
    return this.#members.map(({ address }) => address);
  }

  /** Does one piece of work at a time. */
  #exclusively<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  /** Number of all writes. */
  #end(): number {
    return this.#durable.index + this.#log.length;
  }

  /** Takes writes that are in the log no more out of the primary's copy: the collections that they have changed are made anew. */
  async #undo(lost: readonly Write[]): Promise<void> {
    const changed = new Map(lost.map((write) => [placeOf(write), write.database]));
    for (const [place, database] of changed) {
      const name = place.slice(database.length + 1);
      await this.#copies.copyCollection({ from: this.#durable.copy, to: this.#local, database, name });
    }
    for (const write of this.#log) if (changed.has(placeOf(write))) await this.#copies.run(this.#local, write);
  }

  /** Lets the majority follow the primary. */
  async #follow(): Promise<void> {
    while (!this.#closed) {
      await pause(this.#lagMs);
      if (this.#isHeld || this.#primary === undefined || this.undecided() === 0) continue;
      await this.#exclusively(async () => {
        for (const write of this.#log) await this.#copies.run(this.#durable.copy, write);
        this.#durable.index = this.#end();
        this.#log = [];
        this.#promised = 0;
        const [reached, waiting] = [this.#waiting, [] as Waiting[]];
        this.#waiting = waiting;
        for (const one of reached) {
          if (one.index <= this.#durable.index) one.resolve(true);
          else waiting.push(one);
        }
      });
    }
  }

  /** Waits until a majority has the log up to an index. @returns false if the primary has stepped down before */
  #untilDurable(index: number, term: number): Promise<boolean> {
    if (term !== this.#term || this.#closed) return Promise.resolve(false);
    if (index <= this.#durable.index) return Promise.resolve(true);
    return new Promise((resolve) => this.#waiting.push({ index, resolve }));
  }

  async #answer(member: number, command: Document): Promise<Document | undefined> {
    const [name = ''] = Object.keys(command);
    const database = String(command['$db'] ?? 'admin');
    if (['hello', 'isMaster', 'ismaster'].includes(name)) return this.#hello(member);
    if (['endSessions', 'ping', 'killCursors', 'abortTransaction'].includes(name)) return { ok: 1 };
    if (name === 'getMore') return this.#cursors.more(command);
    if (name === 'buildInfo') return this.#copies.run(this.#local, { database, command });
    return WRITES.has(name) ? this.#write(member, { database, command }) : this.#read(member, { database, command });
  }

  #hello(member: number): Document {
    const hosts = this.#hosts();
    const isPrimary = member === this.#primary || member === this.#replaced;
    const term = member === this.#replaced ? this.#term - 1 : this.#term;
    return {
      ok: 1,
      helloOk: true,
      isWritablePrimary: isPrimary,
      ismaster: isPrimary,
      secondary: !isPrimary,
      setName: NAME,
      setVersion: 1,
      hosts,
      me: hosts[member],
      ...(this.#primary === undefined ? {} : { primary: hosts[this.#primary] }),
      ...(isPrimary ? { electionId: new mongo.ObjectId(term.toString(16).padStart(24, '0')) } : {}),
      localTime: new Date(),
      maxBsonObjectSize: 16_777_216,
      maxMessageSizeBytes: 48_000_000,
      maxWriteBatchSize: 100_000,
      logicalSessionTimeoutMinutes: 30,
      minWireVersion: 0,
      maxWireVersion: 21,
    };
  }

  async #write(member: number, write: Write): Promise<Document | undefined> {
    // No majority will have it.
    while (member === this.#replaced && !this.#closed) await pause(this.#lagMs);
    const done = await this.#exclusively(async () => {
      if (member !== this.#primary) return undefined;
      const reply = await this.#copies.run(this.#local, write);
      this.#log.push(write);
      if (this.#isPromising) this.#promised = this.#log.length;
      return { reply, index: this.#end(), term: this.#term, isPromised: this.#isPromising };
    });
    if (done === undefined) return NOT_PRIMARY;
    const { reply, index, term, isPromised } = done;
    // A caller who is told that a write changed nothing, or was rejected, relies on what it met: a majority has to have that as well.
    if (write.command['writeConcern']?.w !== 'majority' || isPromised || (await this.#untilDurable(index, term))) return reply;
    if (this.#interruption === 'connection') return undefined;
    const { ok: _ok, ...writeConcernError } = INTERRUPTED;
    return this.#interruption === 'error' ? INTERRUPTED : { ...reply, writeConcernError };
  }

  async #read(member: number, read: Write): Promise<Document | undefined> {
    const isReplaced = member === this.#replaced;
    const isPrimary = member === this.#primary;
    const mode = String(read.command['$readPreference']?.mode ?? 'primary');
    const level = String(read.command['readConcern']?.level ?? 'local');
    const limit = Number(read.command['maxTimeMS'] ?? 30_000);
    if (isReplaced && level === 'linearizable') return pause(limit, TIMED_OUT);
    if (!isPrimary && !isReplaced && (mode === 'primary' || level === 'linearizable'))
      return level === 'linearizable' ? NOT_PRIMARY : NO_SECONDARY_READS;
    const copy = !isPrimary ? this.#behind : level === 'majority' ? this.#durable.copy : this.#local;
    const [term, index] = [this.#term, this.#end()];
    const reply = await this.#query(copy, read);
    // The copy may have been replaced while it was read.
    if (term !== this.#term) return INTERRUPTED;
    if (level !== 'linearizable') return reply;
    const ended = new AbortController();
    const late = pause(limit, 'late' as const, { signal: ended.signal }).catch(() => 'late' as const);
    const outcome = await Promise.race([this.#untilDurable(index, term), late]);
    ended.abort();
    if (outcome === 'late') return TIMED_OUT;
    return outcome ? reply : INTERRUPTED;
  }

  async #query(copy: number, read: Write): Promise<Document> {
    const [name = ''] = Object.keys(read.command);
    if (!CURSORS.has(name)) return this.#copies.run(copy, read);
    const found = await this.#copies.documents(copy, read);
    return Array.isArray(found) ? this.#cursors.open(read, found) : found.rejected;
  }
}
