import { waitFor } from '@florin/rpc/testing/wait-for';
import type { Books } from './open-books.ts';
import type { Payer } from './payer.ts';

/** Everything that is under way has ended by then: a Safe that could not be looked at waits for a minute, and so does a clearing that could not be matched. */
const QUIET_MS = 300_000;

const differences = async (books: Books, payers: readonly Payer[]): Promise<string[]> => {
  const { ledger, books: own, chain, items } = await books.read(payers);
  const spent = payers.reduce((sum, payer) => sum + BigInt(payer.spent), 0n);
  const compare = (what: string, amount: bigint, other: bigint): string[] => (amount === other ? [] : [`${what}: ${amount} and ${other}`]);
  return [
    ...compare('payable to the network in the books, and cleared', -own.network, spent),
    ...compare('not collected in the books, and in the ledger', own.uncollected, ledger.uncollected),
    ...compare('the treasury in the books, and on the chain', own.treasury, chain.treasury),
    ...compare('the treasury on the chain, and collected from the Safes', chain.treasury, chain.collected),
    ...compare('cleared, and collected or not', spent, ledger.uncollected + chain.treasury),
    ...(items === 0 ? [] : [`items that differ between ledger and network: ${items}`]),
  ];
};

/** Has the network send all its records again, and waits until network, ledger and chain agree. @returns what differs to the end */
export const auditBooks = async (books: Books, payers: readonly Payer[]): Promise<string[]> => {
  await books.importAll();
  let found: string[] = [];
  const agree = async () => {
    found = await differences(books, payers);
    return found.length === 0 ? true : undefined;
  };
  return waitFor('the three books to agree', agree, QUIET_MS).then(
    () => [],
    (error: unknown) => [String(error), ...found],
  );
};
