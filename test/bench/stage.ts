import type { Client } from '@connectrpc/connect';
import type { Platform } from '@florin/local';
import type { ChallengeService } from '@florin/proto/threeds/v1/challenge_service';
import type { ApiClient } from '../support/api-client.ts';
import type { Person } from '../support/story.ts';

export type Holder = { person: Person; cardId: string };

/** The parts that the 3-D Secure benchmarks share. */
export type Stage = {
  platform: Platform;
  api: ApiClient;
  holders: readonly Holder[];
  /** Client of the threeds service with the operator's key, as the access control server calls it. */
  threeds: Client<typeof ChallengeService>;
  /** Returns a service token of that client. */
  token: () => Promise<string>;
  raise: (holder: Holder) => Promise<string>;
  report: (line: string) => void;
};
