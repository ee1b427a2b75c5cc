import { implement } from '@florin/kit/rpc';
import { ChallengeService } from '@florin/proto/threeds/v1/challenge_service';
import { acknowledgeDecision } from './acknowledge-decision.ts';
import { cancelChallenge } from './cancel-challenge.ts';
import { createChallenge } from './create-challenge.ts';
import type { Dependencies } from './dependencies.ts';
import { getChallenge } from './get-challenge.ts';
import { getReceipt } from './get-receipt.ts';
import { issueDecisionChallenge } from './issue-decision-challenge.ts';
import { listChallenges } from './list-challenges.ts';
import { submitDecision } from './submit-decision.ts';
import { watchChallenge } from './watch-challenge.ts';
import { watchChallenges } from './watch-challenges.ts';

export type { Dependencies } from './dependencies.ts';

export const challengeService = (deps: Dependencies) =>
  implement(ChallengeService, {
    createChallenge: createChallenge(deps),
    getChallenge: getChallenge(deps),
    listChallenges: listChallenges(deps),
    watchChallenge: watchChallenge(deps),
    watchChallenges: watchChallenges(deps),
    issueDecisionChallenge: issueDecisionChallenge(deps),
    submitDecision: submitDecision(deps),
    acknowledgeDecision: acknowledgeDecision(deps),
    cancelChallenge: cancelChallenge(deps),
    getReceipt: getReceipt(deps),
  });
