import type { HaltChainRequest, ResumeChainRequest } from '@florin/proto/ledger/v1/account_service';
import { serviceMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';

/** Stops the spending of a chain's tokens. */
export const haltChain = ({ haltedChains }: Dependencies) =>
  serviceMethod(async ({ chainId }: HaltChainRequest) => {
    await haltedChains.halt(chainId);
    return {};
  });

/** Lets a chain's tokens be spent again. */
export const resumeChain = ({ haltedChains }: Dependencies) =>
  serviceMethod(async ({ chainId }: ResumeChainRequest) => {
    await haltedChains.resume(chainId);
    return {};
  });
