import { serviceMethod } from '@florin/kit/rpc';
import type { VerifyJournalRequest } from '@florin/proto/ledger/v1/journal_service';
import { verifyJournal as walk } from '../journal/verify-journal.ts';
import type { Dependencies } from './dependencies.ts';

export const verifyJournal = ({ journal, blocks, projections }: Dependencies) =>
  serviceMethod('ledger.journal.read', async (_request: VerifyJournalRequest) => {
    const { blocks: walked, entries, bad, sums } = await walk({ served: journal.snapshot(), blocks, projections });
    return {
      ok: bad === undefined,
      blocks: BigInt(walked),
      entries: BigInt(entries),
      firstBadBlock: bad?.block ?? '',
      problem: bad?.problem ?? '',
      sums: Object.fromEntries([...sums].map(([token, sum]) => [token, sum.toString()])),
    };
  });
