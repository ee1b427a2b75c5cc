import { SandboxService } from '@florin/proto/threeds/v1/sandbox_service';
import { implement, type ServiceImplementation } from '@florin/rpc/server';
import { servePersonalData } from '../personal-data/personal-data.ts';
import { ageChallenges } from './age-challenges.ts';
import { authenticationService } from './authentication-service.ts';
import { challengeService } from './challenge-service.ts';
import type { Dependencies } from './dependencies.ts';

/** Implementations of the contracts that this service serves. */
export const implementations = (dependencies: Dependencies): ServiceImplementation[] => [
  challengeService(dependencies),
  authenticationService(dependencies),
  ...(dependencies.sandbox ? [implement(SandboxService, { ageChallenges: ageChallenges(dependencies) })] : []),
  servePersonalData(dependencies),
];
