import { personalDataService } from '@florin/data/privacy';
import { CodedError } from '@florin/rpc/errors';
import type { Runtime } from '@florin/rpc/runtime';
import type { ServiceImplementation } from '@florin/rpc/server';
import type { RequireRecentSignIn } from '../sessions/require-recent-sign-in.ts';
import type { Stores } from '../store/open-stores.ts';
import type { TakeExport } from './export-limit.ts';
import { personalDataSections } from './sections.ts';

/** The RPCs about identity's own personal data. Identity erases it itself, as the last step of an erasure. */
export const servePersonalData = ({
  stores,
  requireRecentSignIn,
  takeExport,
  runtime,
}: {
  stores: Stores;
  requireRecentSignIn: RequireRecentSignIn;
  takeExport: TakeExport;
  runtime: Pick<Runtime, 'now'>;
}): ServiceImplementation =>
  personalDataService({
    sections: personalDataSections(stores, runtime.now),
    runtime,
    admit: async ({ caller }) => {
      await requireRecentSignIn(caller);
      await takeExport(caller.userId);
    },
    erase: async () => {
      throw new CodedError('FORBIDDEN', { message: 'identity erases its own part; call ErasureService.EraseUser' });
    },
  });
