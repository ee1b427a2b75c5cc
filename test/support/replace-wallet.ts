import { randomUUID } from 'node:crypto';
import { IDENTITY_SCOPES } from '@florin/proto/identity/v1/scopes';
import { WalletRecoveryService } from '@florin/proto/identity/v1/wallet_recovery_service';
import { openOperatorChannel } from './operator-channel.ts';
import type { PlatformInProcess } from './platform-in-process.ts';
import type { Wallet } from './story.ts';

type Lost = { token: string; wallet: Wallet };

/** Replaces the lost wallet of a person, as two people of the operator. */
export const replaceWallet = async (platform: PlatformInProcess, { token, wallet }: Lost, replacement: Wallet): Promise<void> => {
  const scopes = [IDENTITY_SCOPES.writeRecoveries, IDENTITY_SCOPES.approveRecoveries];
  const channel = openOperatorChannel(platform, { audience: 'identity', baseUrl: platform.services.identity.url, scopes });
  try {
    const recoveries = channel.client(WalletRecoveryService);
    const { uid: userId } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { uid: string };
    const recoveryId = randomUUID();
    const lost = { recoveryId, userId, lostWallet: wallet.address, replacementWallet: replacement.address };
    await recoveries.createWalletRecovery({ ...lost, actor: 'ann', reason: 'lost, ticket 7' });
    await recoveries.approveWalletRecovery({ recoveryId, actor: 'bob' });
  } finally {
    await channel.close();
  }
};
