import { serviceMethod } from '@florin/kit/rpc';
import type { VerifyJournalRequest } from '@florin/proto/ledger/v1/journal_service';
import { verifyJournal } from '../journal/verify-journal.ts';
import type { Parts } from './parts.ts';

export const verify = ({ journal, blocks, projections }: Parts) =>
  serviceMethod('ledger.journal.read', async (_message: VerifyJournalRequest) => {
    const { blocks: walked, entries, bad, sums } = await verifyJournal({ served: journal.snapshot(), blocks, projections });
    return {
      ok: bad === undefined,
      blocks: BigInt(walked),
      entries: BigInt(entries),
      firstBadBlock: bad?.block ?? '',
      problem: bad?.problem ?? '',
      sums: Object.fromEntries([...sums].map(([token, sum]) => [token, sum.toString()])),
    };
  });
