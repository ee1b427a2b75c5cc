import type { MessageInitShape } from '@bufbuild/protobuf';
import type { Client } from '@connectrpc/connect';
import { signTypedMessage } from '@florin/evm/testing';
import type { TypedMessage } from '@florin/proto/common/v1/typed_message';
import type { Challenge, Decision } from '@florin/proto/threeds/v1/challenge';
import type {
  ChallengeService,
  CountChallengesRequestSchema,
  CreateChallengeRequestSchema,
  GetRaisedChallengeRequestSchema,
  ListChallengesRequestSchema,
  ListRaisedChallengesRequestSchema,
} from '@florin/proto/threeds/v1/challenge_service';
import { onBehalfOf } from '@florin/rpc/client';
import type { LocalAccount } from 'viem';
import { follow } from './watching.ts';

const required = <T>(value: T | undefined): T => {
  if (value === undefined) throw new Error('the response lacks a field');
  return value;
};

/** The RPCs of one instance, called with one token. */
export const callsWith = (client: Client<typeof ChallengeService>, token: () => Promise<string>) => {
  const options = async () => onBehalfOf({ token: await token(), requestId: 'test' });
  const issue = async (challengeId: string, decision: Decision, quoted = false): Promise<TypedMessage> =>
    required((await client.issueDecisionChallenge({ challengeId, decision, quoted }, await options())).typedData);
  const submit = async (challengeId: string, decision: Decision, signature: string): Promise<Challenge> =>
    required((await client.submitDecision({ challengeId, decision, signature }, await options())).challenge);
  return {
    issue,
    submit,
    /** Everything that an app does for a decision. */
    decide: async (challengeId: string, decision: Decision, wallet: LocalAccount): Promise<Challenge> =>
      submit(challengeId, decision, await signTypedMessage(wallet, await issue(challengeId, decision))),
    create: async (request: MessageInitShape<typeof CreateChallengeRequestSchema>): Promise<Challenge> =>
      required((await client.createChallenge(request, await options())).challenge),
    get: async (challengeId: string): Promise<Challenge> =>
      required((await client.getChallenge({ challengeId }, await options())).challenge),
    acknowledge: async (challengeId: string, authenticationValue = ''): Promise<Challenge> =>
      required((await client.acknowledgeDecision({ challengeId, authenticationValue }, await options())).challenge),
    cancel: async (challengeId: string): Promise<Challenge> =>
      required((await client.cancelChallenge({ challengeId }, await options())).challenge),
    list: async (request: MessageInitShape<typeof ListChallengesRequestSchema> = {}) => client.listChallenges(request, await options()),
    find: async (reference: string, limit = 0) => client.findChallenges({ reference, limit }, await options()),
    count: async (request: MessageInitShape<typeof CountChallengesRequestSchema>) => client.countChallenges(request, await options()),
    /** The states of one challenge. */
    watch: (challengeId: string) => follow(async (signal) => client.watchChallenge({ challengeId }, { ...(await options()), signal })),
    /** The first message to a reader of the caller's challenges. */
    changes: async (lastEventId = '', atLeast = '') => client.listChallengeChanges({ lastEventId, atLeast }, await options()),
    /** The changes of all challenges. */
    watchAll: (lastEventId = '') => follow(async (signal) => client.watchAllChallenges({ lastEventId }, { ...(await options()), signal })),
    getRaised: async (key: NonNullable<MessageInitShape<typeof GetRaisedChallengeRequestSchema>['key']>): Promise<Challenge> =>
      required((await client.getRaisedChallenge({ key }, await options())).challenge),
    listRaised: async (request: MessageInitShape<typeof ListRaisedChallengesRequestSchema> = {}) =>
      client.listRaisedChallenges(request, await options()),
    /** The changes of the challenges that the caller raised. */
    watchRaised: (lastEventId = '') =>
      follow(async (signal) => client.watchRaisedChallenges({ lastEventId }, { ...(await options()), signal })),
    receipt: async (challengeId: string) => required((await client.getReceipt({ challengeId }, await options())).receipt),
  };
};

export type Calls = ReturnType<typeof callsWith>;
