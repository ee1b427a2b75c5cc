import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { CodedError } from '@florin/kit/errors';
import { parseRequest, userMethod } from '@florin/kit/rpc';
import type { ListChallengesRequest } from '@florin/proto/threeds/v1/challenge_service';
import { z } from 'zod';
import type { Dependencies } from './dependencies.ts';
import { exactAt } from './load-challenge.ts';
import { listSchema } from './requests.ts';
import { toWireChallenge } from './to-wire.ts';

/** A cursor is the id of the last row of a page, in base64url. */
const toCursor = (id: string): string => Buffer.from(id).toString('base64url');

const fromCursor = (cursor: string): string | undefined => {
  if (cursor === '') return undefined;
  const id = z.uuid().safeParse(Buffer.from(cursor, 'base64url').toString());
  if (!id.success || toCursor(id.data) !== cursor)
    throw new CodedError('VALIDATION_FAILED', { message: 'page.cursor: is not one of ours' });
  return id.data;
};

/** The caller's own challenges, newest first, each exact at `serverTime`. New ones never shift the pages behind a cursor. */
export const listChallenges = ({ challenges, runtime }: Dependencies) =>
  userMethod(async (request: ListChallengesRequest, { caller }) => {
    const { status, page } = parseRequest(listSchema, request);
    const now = runtime.now();
    const before = fromCursor(page.cursor);
    const found = await challenges.page(caller.userId, { limit: page.limit + 1, before, status, now });
    const rows = found.slice(0, page.limit);
    const last = rows.at(-1);
    const exact = await Promise.all(rows.map((challenge) => exactAt(challenges, challenge, now)));
    return {
      // One that was decided elsewhere while its expiry was being stored is in another status after all.
      challenges: exact.filter((challenge) => status === undefined || challenge.status === status).map(toWireChallenge),
      page: { nextCursor: found.length > page.limit && last !== undefined ? toCursor(last.id) : '' },
      serverTime: timestampFromDate(now),
    };
  });
