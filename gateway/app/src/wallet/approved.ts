import type { ApprovedChange } from '@florin/client/viem';
import { describeFailure } from '@florin/ui/page/failure-view.ts';
import { client } from '../api/client.ts';

/**
 * Makes a change, and where the platform asks for it, has the wallet that signed in approve the change first. The wallet and what signs are loaded only then: closing
 * needs no signature.
 * @param make sends the request, with the approval once there is one
 */
export const withApproval = async <T>(one: ApprovedChange, make: (approval: { approval?: string }) => Promise<T>): Promise<T> => {
  try {
    return await make({});
  } catch (error) {
    if (describeFailure(error).code !== 'APPROVAL_REQUIRED') throw error;
    const [{ approveChange }, { currentSigner }] = await Promise.all([import('@florin/client/viem'), import('./signer.ts')]);
    return make({ approval: await approveChange(client, await currentSigner(), one) });
  }
};
