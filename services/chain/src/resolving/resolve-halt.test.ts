import { CHAIN_SCOPES } from '@florin/proto/chain/v1/scopes';
import { ExceptionKind, TransferDirection, WatchState } from '@florin/proto/chain/v1/watch';
import { systemRuntime } from '@florin/rpc/runtime';
import { waitFor } from '@florin/rpc/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SafeTransfer } from '../domain/transfer.ts';
import { createCursorStore } from '../store/cursors.ts';
import { createExceptionStore } from '../store/exceptions.ts';
import { createTransferStore } from '../store/transfers.ts';
import { type FakeTransaction, fakeAddress } from '../testing/fake-chain.ts';
import { codeOf, createWorld, TOKEN, type World } from '../testing/world.ts';
import { carryOutResolution } from './carry-out-resolution.ts';

const SHOP = fakeAddress('shop');
const ORDER = { chainId: 100, actor: 'operator', reason: 'Two validators lied.' };

let world: World;
let service: Awaited<ReturnType<World['start']>>;
beforeEach(async () => {
  world = await createWorld();
  service = await world.start();
});
afterEach(async () => {
  await service.close();
  await world.close();
});

const watchUntil = (what: string, holds: (watch: { blockNumber: bigint; state: WatchState }) => boolean) =>
  waitFor(what, async () => {
    const { watches } = await service.watch.listChainWatches({}, world.operator);
    return watches[0] !== undefined && holds(watches[0]) ? true : undefined;
  });

const mineFinal = async (transactions: readonly FakeTransaction[]): Promise<void> => {
  world.chain.mine(transactions);
  world.chain.finalize();
  const { number } = world.chain.newest();
  await watchUntil(`block ${number}`, ({ blockNumber }) => Number(blockNumber) >= number);
};

/** Three booked blocks, of which the last two are replaced: one deposit comes again, one and a payment to the shop do not. */
const setUpHalt = async () => {
  const [alice, bob, carol] = [world.newAccount(), world.newAccount(), world.newAccount()];
  const pay = (from: typeof SHOP, to: typeof SHOP) => world.chain.transaction([{ contract: TOKEN, from, to, amount: 5n }]);
  const [early, again, gone, left] = [pay(SHOP, alice.safe), pay(SHOP, alice.safe), pay(SHOP, bob.safe), pay(carol.safe, SHOP)];
  await mineFinal([early]);
  await mineFinal([gone, again]);
  await mineFinal([left]);
  world.chain.drop(2);
  world.chain.mine([again]);
  world.chain.mine();
  world.chain.finalize();
  await watchUntil('the halt', ({ state }) => state === WatchState.HALTED);
  return { early, again, gone, left, bob, carol };
};

describe('resolving a halt', () => {
  it('says what it would do, takes back what vanished, and books the chain as it is', async () => {
    const { early, again, gone, left, carol } = await setUpHalt();
    const dry = await service.watch.resolveHalt({ ...ORDER, fromBlock: 2n, dryRun: true }, world.operator);
    expect(dry).toMatchObject({ resumeBlock: 1n, kept: 1, resumed: false });
    expect(dry.vanished.map(({ txHash, direction }) => [txHash, direction])).toEqual([
      [gone.hash, TransferDirection.IN],
      [left.hash, TransferDirection.OUT],
    ]);
    expect(world.reversed.size).toBe(0);

    const { resumed } = await service.watch.resolveHalt({ ...ORDER, fromBlock: 2n }, world.operator);
    expect(resumed).toBe(true);
    await watchUntil('block 3', ({ state, blockNumber }) => state === WatchState.WATCHING && blockNumber === 3n);
    expect([...world.reversed]).toEqual([[`${gone.hash} 0`, 'operator: Two validators lied.']]);
    const recorded = await createTransferStore(world.connection).from(100, 0);
    expect(recorded.map(({ txHash, blockNumber }) => [txHash, blockNumber])).toEqual([
      [early.hash, 1],
      [again.hash, 2],
    ]);
    const { exceptions } = await service.watch.listExceptions({}, world.operator);
    expect(exceptions.filter(({ accountId }) => accountId === carol.accountId).map(({ kind }) => kind)).toEqual([
      ExceptionKind.VANISHED,
      ExceptionKind.LEFT,
    ]);
    expect(await codeOf(service.watch.resolveHalt({ ...ORDER, fromBlock: 2n }, world.operator))).toBe('CHAIN_NOT_HALTED');
  });

  it('does not credit a transfer that comes again after it was taken back, and tells a person', async () => {
    const { gone, bob } = await setUpHalt();
    await service.watch.resolveHalt({ ...ORDER, fromBlock: 2n }, world.operator);
    await mineFinal([gone]);
    const { exceptions } = await service.watch.listExceptions({}, world.operator);
    const [exception] = exceptions.filter(({ accountId }) => accountId === bob.accountId);
    expect(exception).toMatchObject({ kind: ExceptionKind.REFUSED, code: 'DEPOSIT_REVERSED' });
    const closing = { exceptionId: exception?.id ?? '', actor: 'operator', note: 'Adjusted.', booked: true };
    expect((await service.watch.closeException(closing, world.operator)).exception).toMatchObject({ booked: true });
  });

  it.each([
    ['a block that is not the first replaced one', 3n, { atMostBlock: '2' }],
    ['a block that was not booked', 4n, { atMostBlock: '3' }],
    ['the first block of all', 0n, { atLeastBlock: '1' }],
  ])('rejects %s, and names the one that is expected', async (_name, fromBlock, metadata) => {
    await setUpHalt();
    const error: unknown = await service.watch.resolveHalt({ ...ORDER, fromBlock }, world.operator).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'HALT_NOT_RESOLVABLE', metadata });
    expect(world.reversed.size).toBe(0);
  });

  it('rejects while the chain is not final again as far as it was booked', async () => {
    await setUpHalt();
    world.chain.finalize(2);
    const error: unknown = await service.watch.resolveHalt({ ...ORDER, fromBlock: 2n }, world.operator).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'HALT_NOT_RESOLVABLE', metadata: { finalBlock: '3' } });
  });

  it('rejects a chain that is not halted, and callers without the scope or a reason', async () => {
    expect(await codeOf(service.watch.resolveHalt({ ...ORDER, fromBlock: 1n }, world.operator))).toBe('CHAIN_NOT_HALTED');
    const reader = await world.as('operator', [CHAIN_SCOPES.readWatches]);
    expect(await codeOf(service.watch.resolveHalt({ ...ORDER, fromBlock: 1n }, reader))).toBe('FORBIDDEN');
    const silent = service.watch.resolveHalt({ ...ORDER, fromBlock: 1n, reason: ' ' }, world.operator);
    expect(await codeOf(silent)).toBe('VALIDATION_FAILED');
  });

  it('ends the same when it is killed after any step and ordered again', async () => {
    const { early, again, gone, left } = await setUpHalt();
    await service.close();
    const runtime = systemRuntime;
    const [transfers, cursors] = [createTransferStore(world.connection), createCursorStore(world.connection)];
    const exceptions = createExceptionStore(world.connection, runtime);
    const halted = await cursors.find(100);
    if (halted === undefined) throw new Error('the chain has no cursor');
    const resumeAt = { number: 1, hash: world.chain.blocks()[1]?.hash ?? '0x' };
    const reversed: string[] = [];
    let untilKill = 0;
    const step = async <T>(work: () => Promise<T>): Promise<T> => {
      const result = await work();
      untilKill -= 1;
      if (untilKill === 0) throw new Error('killed');
      return result;
    };
    const isGone = ({ txHash }: SafeTransfer) => txHash === gone.hash || txHash === left.hash;
    const order = async (): Promise<boolean> =>
      carryOutResolution(
        {
          movements: { reverse: (transfer) => step(async () => void reversed.push(transfer.txHash)) },
          transfers: {
            remove: (one) => step(() => transfers.remove(one)),
            removeFrom: (...args) => step(() => transfers.removeFrom(...args)),
          },
          exceptions: { find: exceptions.find, open: (one) => step(() => exceptions.open(one)) },
          isTreasurys: async () => false,
          cursors: { resume: (...args) => step(() => cursors.resume(...args)) },
          runtime,
        },
        halted,
        { resumeAt, kept: 1, vanished: (await transfers.from(100, 2)).filter(isGone) },
        ORDER,
      );
    for (let kill = 1; kill <= 5; kill += 1) {
      // Each order goes one step beyond where the one before was killed.
      untilKill = 1;
      await order().catch(() => undefined);
    }
    untilKill = 0;
    await order();
    expect(new Set(reversed)).toEqual(new Set([gone.hash]));
    expect(await cursors.find(100)).toEqual({ chainId: 100, ...resumeAt });
    service = await world.start();
    await watchUntil('block 3', ({ state, blockNumber }) => state === WatchState.WATCHING && blockNumber === 3n);
    const recorded = await transfers.from(100, 0);
    expect(recorded.map(({ txHash }) => txHash)).toEqual([early.hash, again.hash]);
    const found = await exceptions.page({ limit: 10, before: undefined });
    expect(found.map(({ kind }) => kind).sort()).toEqual(['left', 'vanished']);
  });
});
