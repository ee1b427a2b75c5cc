import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { cutPage, decodeIdCursor, encodeIdCursor, pageOf } from '@florin/data/paging';
import type { ListChallengesRequest } from '@florin/proto/threeds/v1/challenge_service';
import { userOfCall, userOrServiceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';
import { STATUS_WORDS } from './from-wire.ts';
import { toWireChallenge } from './to-wire.ts';

/**
 * Returns a page of a user's challenges, newest first, each with its status at `serverTime`. New ones never shift the pages
 * after a cursor.
 */
export const listChallenges = ({ challenges, runtime }: Dependencies) =>
  userOrServiceMethod(async (request: ListChallengesRequest, { caller }) => {
    const userId = userOfCall(request, caller);
    const status = STATUS_WORDS.toWord(request.status);
    const page = pageOf(request);
    const now = runtime.now();
    const before = decodeIdCursor(page.cursor);
    const found = await challenges.page(userId, { limit: page.limit + 1, before, status, now });
    const { rows, nextCursor } = cutPage(found, page.limit, ({ id }) => encodeIdCursor(id));
    const exact = await Promise.all(rows.map((challenge) => challenges.exactAt(challenge, now)));
    return {
      // A challenge decided elsewhere while its expiry was being stored no longer matches the filter.
      challenges: exact.filter((challenge) => status === undefined || challenge.status === status).map(toWireChallenge),
      page: { nextCursor },
      serverTime: timestampFromDate(now),
    };
  });
