import { AuthenticationService } from '@florin/proto/threeds/v1/authentication_service';
import { ChallengeService } from '@florin/proto/threeds/v1/challenge_service';
import { SandboxService } from '@florin/proto/threeds/v1/sandbox_service';
import { implement, type ServiceImplementation } from '@florin/rpc/server';
import { servePersonalData } from '../personal-data/personal-data.ts';
import { acknowledgeDecision } from './acknowledge-decision.ts';
import { ageChallenges } from './age-challenges.ts';
import { cancelChallenge } from './cancel-challenge.ts';
import { consumeAuthentication, findAuthentication } from './consume-authentication.ts';
import { countChallenges } from './count-challenges.ts';
import { createChallenge } from './create-challenge.ts';
import type { Dependencies } from './dependencies.ts';
import { findChallenges } from './find-challenges.ts';
import { getChallenge } from './get-challenge.ts';
import { getRaisedChallenge } from './get-raised-challenge.ts';
import { getReceipt } from './get-receipt.ts';
import { issueDecisionChallenge } from './issue-decision-challenge.ts';
import { listChallengeChanges } from './list-challenge-changes.ts';
import { listChallenges } from './list-challenges.ts';
import { listRaisedChallenges } from './list-raised-challenges.ts';
import { releaseAuthentication } from './release-authentication.ts';
import { submitDecision } from './submit-decision.ts';
import { watchAllChallenges } from './watch-all-challenges.ts';
import { watchChallenge } from './watch-challenge.ts';
import { watchRaisedChallenges } from './watch-raised-challenges.ts';

/** Implementations of the contracts that this service serves. */
export const implementations = (dependencies: Dependencies): ServiceImplementation[] => [
  implement(ChallengeService, {
    createChallenge: createChallenge(dependencies),
    getChallenge: getChallenge(dependencies),
    findChallenges: findChallenges(dependencies),
    countChallenges: countChallenges(dependencies),
    listChallenges: listChallenges(dependencies),
    watchChallenge: watchChallenge(dependencies),
    listChallengeChanges: listChallengeChanges(dependencies),
    watchAllChallenges: watchAllChallenges(dependencies),
    getRaisedChallenge: getRaisedChallenge(dependencies),
    listRaisedChallenges: listRaisedChallenges(dependencies),
    watchRaisedChallenges: watchRaisedChallenges(dependencies),
    issueDecisionChallenge: issueDecisionChallenge(dependencies),
    submitDecision: submitDecision(dependencies),
    acknowledgeDecision: acknowledgeDecision(dependencies),
    cancelChallenge: cancelChallenge(dependencies),
    getReceipt: getReceipt(dependencies),
  }),
  implement(AuthenticationService, {
    findAuthentication: findAuthentication(dependencies),
    consumeAuthentication: consumeAuthentication(dependencies),
    releaseAuthentication: releaseAuthentication(dependencies),
  }),
  ...(dependencies.sandbox ? [implement(SandboxService, { ageChallenges: ageChallenges(dependencies) })] : []),
  servePersonalData(dependencies),
];
