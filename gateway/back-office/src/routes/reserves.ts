import { type CheckedReserves, checkReserves } from '@florin/evm/reserves';
import type { GetReservesResponse } from '@florin/proto/chain/v1/reserves_service';
import { undefinedOn, withinRequest } from '@florin/rpc/client';
import { CodedError } from '@florin/rpc/errors';
import { z } from 'zod';
import type { Reserves } from '../contract/index.ts';
import { type Endpoint, parse } from '../http/endpoint.ts';
import { tokenAmount } from '../views/money.ts';
import { isoOf } from '../views/words.ts';
import type { Dependencies } from './dependencies.ts';
import { programRead } from './read-program.ts';

type Proof = Reserves['proofs'][number];
type Checked = Pick<Proof, 'verdict' | 'problem' | 'safes' | 'hash' | 'tokens'>;
type Call = { requestId: string };

/** The most parts of a file that are read here: 8 MiB, which are checked within a second or two. */
const MAX_PARTS = 64;

const MAX_BLOCK = 10 ** 12;
const number = (most: number) => z.coerce.number().int().min(1).max(most);
const place = z.object({ chainId: number(2 ** 32 - 1), block: number(MAX_BLOCK) });

/** Proofs of reserves: what the newest ones show, and their files. */
export const reservesEndpoints = (parts: Dependencies): Endpoint[] => {
  const { services, assets } = parts;

  /** A part of a file, from 0; of the newest one of the chain without a block. */
  const partOf = async (chainId: number, block: number, part: number, call: Call): Promise<GetReservesResponse | undefined> => {
    if (services.reserves === undefined) return undefined;
    const request = { chainId, blockNumber: BigInt(block), part };
    return undefinedOn('RESERVES_NOT_FOUND', services.reserves.getReserves(request, withinRequest(call)));
  };

  /** The text of a file that begins with a part. @throws CodedError RESERVES_NOT_FOUND for one that is removed meanwhile */
  const textOf = async (first: GetReservesResponse, call: Call): Promise<string> => {
    const texts = [first.text];
    while (texts.length < first.parts) {
      const next = await partOf(first.chainId, Number(first.blockNumber), texts.length, call);
      if (next === undefined) throw new CodedError('RESERVES_NOT_FOUND');
      texts.push(next.text);
    }
    return texts.join('');
  };

  const toTokens = ({ tokens }: CheckedReserves): Proof['tokens'] =>
    tokens.map(({ token, held, owed, missing, treasury, fault }) => ({
      ...{ token, isCovered: fault === undefined },
      ...{ held: tokenAmount(assets, token, String(held)), owed: tokenAmount(assets, token, String(owed)) },
      ...{ missing: tokenAmount(assets, token, String(missing)), treasury: tokenAmount(assets, token, String(treasury)) },
    }));

  /** Checks a file with the contracts of the configuration. Its treasuries are those of whoever runs this; its age is for the reader to judge. */
  const check = (text: string, now: Date): Checked => {
    const ofChain = (chainId: number) => assets.tokens.filter((token) => token.chainId === chainId);
    const tokensOf = (chainId: number) => ({
      contracts: new Map(ofChain(chainId).map(({ symbol, address = '' }) => [symbol, address])),
      elsewhere: new Set(assets.tokens.filter((token) => token.chainId !== chainId).map(({ symbol }) => symbol)),
    });
    const options = { tokensOf, now, maxAgeMs: Number.MAX_SAFE_INTEGER };
    const named = checkReserves(text, options);
    const checked = 'problem' in named ? named : checkReserves(text, { ...options, treasuries: named.reserves.treasuries });
    if ('problem' in checked) return { verdict: 'invalid', problem: checked.problem, safes: 0, hash: '', tokens: [] };
    const tokens = toTokens(checked.reserves);
    const verdict = tokens.every(({ isCovered }) => isCovered) ? 'covered' : 'missing';
    return { verdict, problem: '', safes: checked.reserves.safes, hash: checked.reserves.hash, tokens };
  };

  /** The result of checking the newest file of each chain. A file never changes. */
  const known = new Map<number, { block: bigint; checked: Checked }>();

  const proofOf = async (chainId: number, call: Call): Promise<Proof[]> => {
    const first = await partOf(chainId, 0, 0, call);
    if (first === undefined) return [];
    const { blockNumber, blockHash, createdAt } = first;
    const told = known.get(chainId);
    let checked: Checked = { verdict: 'too-large', problem: '', safes: 0, hash: '', tokens: [] };
    if (told?.block === blockNumber) ({ checked } = told);
    else if (first.parts <= MAX_PARTS) checked = check(await textOf(first, call), parts.runtime.now());
    // A file of the future, of a clock that is behind, is valid later.
    if (checked.verdict !== 'invalid') known.set(chainId, { block: blockNumber, checked });
    return [{ chainId, block: blockNumber.toString(), blockHash, createdAt: isoOf(createdAt), ...checked }];
  };

  return [
    programRead(
      parts,
      { path: '/api/reserves', access: 'overview.read', operation: 'reserves.list', reason: 'proofs of reserves' },
      async (call): Promise<Reserves> => ({
        proofs: (await Promise.all(assets.chains.map(({ id }) => proofOf(id, call)))).flat(),
      }),
    ),
    programRead(
      parts,
      { path: '/api/reserves/{chainId}/{block}', access: 'overview.read', operation: 'reserves.file', reason: 'a proof of reserves' },
      async ({ params, ...call }) => {
        const { chainId, block } = parse(place, params);
        const first = await partOf(chainId, block, 0, call);
        if (first === undefined || first.parts > MAX_PARTS) throw new CodedError('RESERVES_NOT_FOUND');
        return { text: await textOf(first, call) };
      },
    ),
  ];
};
