import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type Evm, startEvm } from '@florin/evm/local-chain/start-evm';
import { acceptTerms, COLLECTOR, type CollectionTerms, DELAY_1_0_1, MOVED } from '@florin/evm/safe';
import { ensureKeys, prepareEvm } from '@florin/local';
import { AccountService } from '@florin/proto/ledger/v1/account_service';
import { EntryResultCode } from '@florin/proto/ledger/v1/entry';
import { EntryService } from '@florin/proto/ledger/v1/entry_service';
import { LEDGER_SCOPES } from '@florin/proto/ledger/v1/scopes';
import { SETTLEMENT_SCOPES } from '@florin/proto/settlement/v1/scopes';
import { SettlementService } from '@florin/proto/settlement/v1/settlement_service';
import { processEnvironment } from '@florin/rpc/config';
import { pause } from '@florin/rpc/time';
import mongoose from 'mongoose';
import { type Address, encodeFunctionData, erc20Abi, getAddress, type Hex, toHex } from 'viem';
import { installCollection } from '../../support/evm-collection.ts';
import { evmTokens } from '../../support/evm-tokens.ts';
import { onChainEure } from '../../support/on-chain-eure.ts';
import { openOperatorChannel } from '../../support/operator-channel.ts';
import { measureProcessor, startCheckout } from '../checkouts.ts';
import { openAccounts } from '../ledger/accounts.ts';
import type { Row } from '../row.ts';

const CHAIN_ID = 100;
const EURO = 10n ** 18n;
const PAYMENTS_EACH = 10;
/** Entries of one call. */
const CALL = 1000;
const CALL_TIMEOUT_MS = 60_000;
const LOOK_MS = 500;
/** Accounts that are prepared in a block, and the gas of each of their transactions: all of them fit. */
const BLOCK = 60;
const GAS = toHex(100_000);
/** Accounts after which progress is reported; a multiple of those of a block and of a call. */
const REPORT_EVERY = 1200;
/** Longest time without progress. */
const STALLED_MS = 300_000;
const COINS = '0xde0b6b3a7640000';

type Account = { accountId: string; safe: Address };
type Receipt = { to: Address | null; gasUsed: Hex; logs: { topics: Hex[] }[] };

/** Has each account allow what may be collected, as a Safe does in its set-up, and pays it a deposit: some accounts in a block, because a block costs as much as many transactions. */
const prepare = async (
  evm: Evm,
  { accounts, terms, eure }: { accounts: readonly Account[]; terms: CollectionTerms; eure: Address },
  report: (line: string) => void,
) => {
  const [sender] = await evm.rpc<Address[]>('eth_accounts');
  const prepareOne = async ({ safe }: Account): Promise<void> => {
    await evm.rpc('hardhat_impersonateAccount', [safe]);
    await evm.rpc('hardhat_setBalance', [safe, COINS]);
    for (const call of acceptTerms(terms)) await evm.rpc('eth_sendTransaction', [{ from: safe, gas: GAS, ...call }]);
    const deposit = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [safe, BigInt(PAYMENTS_EACH) * EURO] });
    await evm.rpc('eth_sendTransaction', [{ from: sender, to: eure, gas: GAS, data: deposit }]);
  };
  await evm.rpc('evm_setAutomine', [false]);
  for (let at = 0; at < accounts.length; at += BLOCK) {
    if (at % REPORT_EVERY === 0) report(`deposits of ${at} of ${accounts.length} accounts`);
    await Promise.all(accounts.slice(at, at + BLOCK).map(prepareOne));
    await evm.mine();
  }
  await evm.rpc('evm_setAutomine', [true]);
};

/** The movements in the blocks after a number, and their gas. */
const movementsAfter = async (evm: Evm, first: number): Promise<{ movements: number; gas: number }> => {
  let [movements, gas] = [0, 0];
  for (let number = first + 1, last = await evm.blockNumber(); number <= last; number += 1) {
    const { transactions } = await evm.rpc<{ transactions: Hex[] }>('eth_getBlockByNumber', [toHex(number), false]);
    for (const hash of transactions) {
      const { to, gasUsed, logs } = await evm.rpc<Receipt>('eth_getTransactionReceipt', [hash]);
      if (to?.toLowerCase() !== COLLECTOR.address.toLowerCase()) continue;
      gas += Number(gasUsed);
      movements += logs.filter(({ topics: [topic] }) => topic === MOVED).length;
    }
  }
  return { movements, gas };
};

/**
 * The amounts that cards have spent are collected from many accounts, booked in the ledger, and reported to settlement. The chain is Hardhat's, in this process; the accounts are on it without the code
 * of a Safe, which takes no part in collecting, and are recorded as verified past the RPCs.
 */
export const benchCollections = async (count: number, report: (line: string) => void): Promise<Row[]> => {
  if (!(await prepareEvm(processEnvironment(), report))) throw new Error('the benchmark needs a local chain');
  const evm = await startEvm(CHAIN_ID);
  const tokens = await evmTokens(evm);
  const eure = await tokens.deploy('EURe');
  const { treasury, environment } = await installCollection(evm, eure);
  const checkout = await startCheckout({}, report, {
    ...onChainEure({ address: eure }),
    ...environment,
    ACCOUNTS_NEED_SAFE: 'false',
    CHAIN_RPC_URLS: JSON.stringify({ [CHAIN_ID]: evm.url }),
    CHAIN_COLLECTION_SECONDS: '86400',
    RECONCILE_ACCOUNTS_PER_SECOND: '0',
    RESERVES_INTERVAL_SECONDS: '0',
  });
  const { platform, dataDir, stop } = checkout;
  const operatorKey: unknown = JSON.parse(await readFile((await ensureKeys(dataDir)).keyFile('operator'), 'utf8'));
  const open = (audience: 'ledger' | 'settlement', scopes: readonly string[]) =>
    openOperatorChannel({ operatorKey }, { audience, baseUrl: platform.urls[audience], scopes });
  const [ledger, settlement] = [
    open('ledger', [LEDGER_SCOPES.writeAccounts, LEDGER_SCOPES.writeEntries]),
    open('settlement', [SETTLEMENT_SCOPES.readBooks]),
  ];
  const chainDatabase = await mongoose.createConnection(platform.mongodbUri, { dbName: 'florin_chain' }).asPromise();
  const terms: CollectionTerms = { treasury, limits: [{ token: getAddress(eure), perDay: String(5000n * EURO) }] };

  /** The same payments again are the same entries: before a deposit is approved they are declined. */
  const pay = async (accounts: readonly Account[]): Promise<void> => {
    const entries = ledger.client(EntryService);
    for (let at = 0; at < accounts.length; at += CALL / PAYMENTS_EACH) {
      if (at % REPORT_EVERY === 0) report(`payments of ${at} of ${accounts.length} accounts`);
      const payments = accounts.slice(at, at + CALL / PAYMENTS_EACH).flatMap(({ accountId }) =>
        Array.from({ length: PAYMENTS_EACH }, () => ({
          entryId: randomUUID(),
          transfers: [{ debit: accountId, credit: `${accountId}/settling`, token: 'EURe', amount: String(EURO) }],
          metadata: { externalReference: randomUUID() },
        })),
      );
      for (;;) {
        const { results } = await entries.createEntries({ entries: payments }, { timeoutMs: CALL_TIMEOUT_MS });
        if (results.every(({ code }) => code === EntryResultCode.CREATED || code === EntryResultCode.EXISTS)) break;
        await pause(LOOK_MS);
      }
    }
  };

  const collect = async (accounts: readonly Account[]): Promise<void> => {
    const safes = chainDatabase.collection<{ _id: string }>('safes');
    const common = { chainId: CHAIN_ID, owner: treasury, platform: treasury, status: 'verified', jobId: '', findings: [] };
    const delay = { mastercopy: DELAY_1_0_1, cooldownSeconds: 90_000, expirationSeconds: 3600, terms };
    const setUp = { nonce: '0', signature: '0x', tries: 1 };
    const verified = { verifiedAt: new Date(), inspectedAt: new Date(), dueAt: new Date('9999-12-31') };
    await safes.insertMany(accounts.map(({ accountId, safe }) => ({ _id: accountId, safe, ...common, delay, setUp, ...verified })));
    const each = PAYMENTS_EACH * 100;
    let [collected, at] = [0, performance.now()];
    while (collected < accounts.length) {
      await pause(LOOK_MS);
      const { balances } = await settlement.client(SettlementService).listBalances({});
      const now = Number(balances.find(({ account }) => account === 'treasury')?.amount ?? 0) / each;
      if (now === collected && performance.now() - at > STALLED_MS) throw new Error(`only ${now} accounts were collected from`);
      if (now === collected) continue;
      report(`collected from ${now} of ${accounts.length} accounts`);
      [collected, at] = [now, performance.now()];
    }
  };

  try {
    const opened = await openAccounts({ clients: { accounts: ledger.client(AccountService) } }, count, report);
    const accounts = opened.map(({ accountId, safe }) => ({ accountId, safe: getAddress(safe) }));
    await prepare(evm, { accounts, terms, eure }, report);
    await pay(accounts);
    const before = await evm.blockNumber();
    const { processor } = await measureProcessor([checkout], checkout, () => collect(accounts));
    const { movements, gas } = await movementsAfter(evm, before);
    const used = (names: Iterable<string>) => [...names].reduce((sum, name) => sum + (processor.get(name) ?? 0), 0) / count / 1000;
    processor.delete('load generator');
    const services = ['chain', 'ledger', 'settlement'].map((name) => [name, [name]] as const);
    return [
      { name: 'gas of a movement', value: gas / movements, unit: 'gas' },
      { name: `movements per account with ${PAYMENTS_EACH} payments`, value: movements / count, unit: '' },
      ...[...services, ['all processes, engines included', processor.keys()] as const].map(
        ([name, processes]): Row => ({ name: `processor time per account: ${name}`, value: used(processes), unit: 'ms' }),
      ),
    ];
  } finally {
    await Promise.all([ledger.close(), settlement.close(), chainDatabase.close()]);
    await stop();
    await evm.close();
  }
};
