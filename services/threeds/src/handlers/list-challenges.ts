import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { cutPage, decodeIdCursor, encodeIdCursor } from '@florin/data/paging';
import type { ListChallengesRequest } from '@florin/proto/threeds/v1/challenge_service';
import { parseRequest, userMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { exactAt } from './load-challenge.ts';
import { listSchema } from './requests.ts';
import { toWireChallenge } from './to-wire.ts';

/** The caller's own challenges, newest first, each exact at `serverTime`. New ones never shift the pages behind a cursor. */
export const listChallenges = ({ challenges, runtime }: Dependencies) =>
  userMethod(async (request: ListChallengesRequest, { caller }) => {
    const { status, page } = parseRequest(listSchema, request);
    const now = runtime.now();
    const before = decodeIdCursor(page.cursor);
    const found = await challenges.page(caller.userId, { limit: page.limit + 1, before, status, now });
    const { rows, nextCursor } = cutPage(found, page.limit, ({ id }) => encodeIdCursor(id));
    const exact = await Promise.all(rows.map((challenge) => exactAt(challenges, challenge, now)));
    return {
      // One that was decided elsewhere while its expiry was being stored is in another status after all.
      challenges: exact.filter((challenge) => status === undefined || challenge.status === status).map(toWireChallenge),
      page: { nextCursor },
      serverTime: timestampFromDate(now),
    };
  });
