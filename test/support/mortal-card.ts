import type { HoldsClient } from '@florin/card/testing/holds';
import { CodedError } from '@florin/rpc/errors';
import mongoose from 'mongoose';

/** Where a card service dies: at which of its next writes to the database, and whether the write is made. */
export type Death = { atWrite: number; isMade: boolean };

/** The driver's `insertMany` writes by `bulkWrite`. */
const WRITES = ['bulkWrite', 'deleteMany', 'deleteOne', 'findOneAndUpdate', 'insertOne', 'replaceOne', 'updateMany', 'updateOne'];
const READS = ['aggregate', 'countDocuments', 'find', 'findOne'];

type Called = { dbName: string; client: object };
type Method = (this: Called, ...args: unknown[]) => unknown;

const gone = (): CodedError => new CodedError('SERVICE_UNAVAILABLE', { message: 'this instance of the card service is dead' });

/**
 * Lets a card service that runs in this process die at one of its writes. Like a killed process, it then has no effect any more on its database or
 * on the ledger, and reads nothing either, until the test starts another one.
 */
export const createMortality = () => {
  const methods = mongoose.mongo.Collection.prototype as unknown as Record<string, Method>;
  const real = new Map([...WRITES, ...READS].map((name) => [name, methods[name] as Method]));
  const dead = new WeakSet<object>();
  let instance = 0;
  let lastDead = -1;
  let database = '';
  let death: Death | undefined;
  let deaths = 0;

  const die = (client: object): void => {
    death = undefined;
    dead.add(client);
    lastDead = instance;
    deaths += 1;
  };

  /** @returns whether the instance dies with this write */
  const isFatal = (called: Called): boolean => {
    if (death === undefined || called.dbName !== database) return false;
    death.atWrite -= 1;
    return death.atWrite === 0;
  };

  for (const [name, method] of real) {
    methods[name] = function (...args) {
      if (dead.has(this.client)) throw gone();
      if (!WRITES.includes(name) || death === undefined || !isFatal(this)) return method.apply(this, args);
      const { isMade } = death;
      die(this.client);
      if (!isMade) throw gone();
      return Promise.resolve(method.apply(this, args)).then(() => {
        throw gone();
      });
    };
  }

  return {
    /** A layer between one instance and the ledger, for `wrapHolds`. */
    wrapHolds: (holds: HoldsClient): HoldsClient => {
      const own = instance;
      const layered = Object.entries(holds).map(([name, call]) => [
        name,
        async (...args: unknown[]) => {
          if (own <= lastDead) throw gone();
          const result = await (call as (...all: unknown[]) => Promise<unknown>)(...args);
          if (own <= lastDead) throw gone();
          return result;
        },
      ]);
      return Object.fromEntries(layered) as HoldsClient;
    },

    /** Lets the instance that uses the database die, unless it writes less often until `spare`. */
    doom: (cardDatabase: string, how: Death): void => {
      database = cardDatabase;
      death = { ...how };
    },
    spare: (): void => {
      death = undefined;
    },
    isDead: (): boolean => lastDead === instance,
    /** How many instances have died. */
    deaths: (): number => deaths,
    /** Lets the instance that is started next live. */
    revive: (): void => {
      instance += 1;
    },
    restore: (): void => {
      for (const [name, method] of real) methods[name] = method;
    },
  };
};
