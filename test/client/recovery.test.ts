import { createClient } from '@florin/client';
import { prepareBackupKey, requestRecovery, stopRecovery } from '@florin/client/recovery';
import { UnexpectedTextError } from '@florin/client/viem';
import {
  cancellationTransaction,
  DELAY_1_0_1,
  encodeMultiSend,
  exchangeCall,
  exitWithBackup,
  namingTransaction,
  predictDelayModule,
  predictSafeAddress,
  requestTransaction,
  type SafeTransaction,
  safeTypedData,
  setUpTransaction,
} from '@florin/evm/safe';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';

const ACCOUNT_ID = '01890a5d-ac96-774b-bcce-b302099a8057';
const HOUR = 3600;
const EXIT = { mastercopy: DELAY_1_0_1, cooldownSeconds: 25 * HOUR, expirationSeconds: 31 * HOUR };
const newKey = (): PrivateKeyAccount => privateKeyToAccount(generatePrivateKey());
const [OWNER, PLATFORM, BACKUP, NEXT, THIEF] = [newKey(), newKey(), newKey(), newKey(), newKey()];
const WAIT = { mastercopy: DELAY_1_0_1, cooldownSeconds: 48 * HOUR, expirationSeconds: 168 * HOUR };

/** The answers of an honest platform about an account, before and after the naming. */
const accountOf = async (isShared: boolean) => {
  const safe = predictSafeAddress(ACCOUNT_ID, isShared ? [OWNER.address, PLATFORM.address] : [OWNER.address]);
  const parties = { chainId: 100, accountId: ACCOUNT_ID, safe, owner: OWNER.address, platform: PLATFORM.address };
  const backup = { address: BACKUP.address, delay: WAIT };
  const control = { owner: OWNER.address, delay: exitWithBackup(EXIT, WAIT), backup };
  const shown = {
    key: BACKUP.address,
    module: predictDelayModule(safe, WAIT),
    cooldownSeconds: WAIT.cooldownSeconds,
    expirationSeconds: WAIT.expirationSeconds,
  };
  const answer = (delay: typeof EXIT, more: object) => ({
    id: ACCOUNT_ID,
    safeAddress: safe,
    chain: { name: 'Gnosis', id: '100' },
    deployment: { status: 'verified', owner: OWNER.address, platformOwner: PLATFORM.address, ...delay, ...more },
  });
  const setUp = await PLATFORM.signTypedData(safeTypedData(setUpTransaction(parties, EXIT, 0n)));
  return {
    safe,
    parties,
    control,
    shown,
    before: answer(EXIT, isShared ? { setUpSignature: setUp } : {}),
    after: answer(control.delay, { backup: shown }),
  };
};
type Scene = Awaited<ReturnType<typeof accountOf>>;

const textOf = (value: unknown): string => JSON.stringify(value, (_name, one: unknown) => (typeof one === 'bigint' ? one.toString() : one));

/** A platform that offers a transaction, and the signatures that it got. */
const platformOf = (account: object, transaction: SafeTransaction, signer: string, more: object = {}) => {
  const signatures: string[] = [];
  const client = createClient({
    url: 'http://gateway',
    token: 'token',
    retries: 0,
    fetch: async (url, init) => {
      if (url.endsWith('/user/account')) return Response.json(account);
      if (url.endsWith('/challenge'))
        return new Response(
          textOf({
            transactionId: ACCOUNT_ID,
            typedData: safeTypedData(transaction),
            signer,
            expiresAt: '2026-11-28T12:00:00.000Z',
            ...more,
          }),
        );
      signatures.push((JSON.parse(String(init.body)) as { signature: string }).signature);
      return Response.json({ success: true });
    },
  });
  return { client, signatures };
};

const naming = ({ parties, control }: Scene) => namingTransaction(parties, EXIT, control, 1n);
const request = ({ parties, control }: Scene, newOwner = NEXT.address) =>
  requestTransaction(parties, BACKUP.address, exchangeCall({ ...parties, firstOwner: OWNER.address }, control, newOwner), 0n);

const name = async (scene: Scene, transaction: SafeTransaction, shown: object | undefined = scene.shown) => {
  const { client, signatures } = platformOf(scene.before, transaction, OWNER.address, { backup: shown });
  const prepared = await prepareBackupKey(client, OWNER.address, BACKUP.address);
  await prepared.submit(OWNER);
  return { ...prepared, signatures };
};

describe('the keys of a recovery', async () => {
  const shared = await accountOf(true);

  it('sign what the chain service makes of any account', async () => {
    for (const scene of [shared, await accountOf(false)]) {
      const { signatures, exitSeconds, recoverySeconds } = await name(scene, naming(scene));
      expect({ exitSeconds, recoverySeconds }).toEqual({ exitSeconds: 73 * HOUR, recoverySeconds: 48 * HOUR });
      expect(signatures).toEqual([await OWNER.signTypedData(safeTypedData(naming(scene)))]);

      const asked = platformOf(scene.after, request(scene), BACKUP.address);
      await requestRecovery(asked.client, BACKUP, NEXT.address);
      expect(asked.signatures).toEqual([await BACKUP.signTypedData(safeTypedData(request(scene)))]);

      const stop = cancellationTransaction(scene.parties, predictDelayModule(scene.safe, WAIT), 3n, 2n);
      const stopped = platformOf(scene.after, stop, OWNER.address);
      await stopRecovery(stopped.client, OWNER);
      expect(stopped.signatures).toEqual([await OWNER.signTypedData(safeTypedData(stop))]);
    }
  });

  it('are not asked on the word of the platform that an account has a backup key, or had another owner first', async () => {
    for (const account of [shared.after, { ...shared.after, deployment: { ...shared.after.deployment, firstOwner: THIEF.address } }]) {
      const { client, signatures } = platformOf(account, naming(shared), OWNER.address, { backup: shared.shown });
      await expect(prepareBackupKey(client, OWNER.address, BACKUP.address)).rejects.toThrow(UnexpectedTextError);
      expect(signatures).toEqual([]);
    }
  });

  it('are not asked for another backup key, another wait, or another call', async () => {
    const { parties, control, shown } = shared;
    const of = (backup: object) => namingTransaction(parties, EXIT, { ...control, backup: { ...control.backup, ...backup } }, 1n);
    const thief = { address: THIEF.address };
    const short = { ...WAIT, cooldownSeconds: 60 };
    const long = { ...WAIT, cooldownSeconds: 31 * 24 * HOUR };
    const tampered: readonly (readonly [SafeTransaction, object | undefined])[] = [
      [of(thief), shown],
      [of(thief), { ...shown, key: THIEF.address }],
      [of({ delay: short }), shown],
      [
        namingTransaction(parties, EXIT, { ...control, delay: exitWithBackup(EXIT, long), backup: { ...control.backup, delay: long } }, 1n),
        { ...shown, cooldownSeconds: long.cooldownSeconds },
      ],
      [{ ...naming(shared), ...encodeMultiSend([{ to: THIEF.address, data: '0xa9059cbb' }]) }, shown],
      [{ ...naming(shared), safe: THIEF.address }, shown],
    ];
    for (const [transaction, named] of tampered) await expect(name(shared, transaction, named)).rejects.toThrow(UnexpectedTextError);
  });

  it('are not asked for another owner, by another key, or for anything but the stop', async () => {
    const { after, parties, safe } = shared;
    const asked = platformOf(after, request(shared, THIEF.address), BACKUP.address);
    await expect(requestRecovery(asked.client, BACKUP, NEXT.address)).rejects.toThrow(UnexpectedTextError);
    const right = platformOf(after, request(shared), BACKUP.address);
    await expect(requestRecovery(right.client, THIEF, NEXT.address)).rejects.toThrow(UnexpectedTextError);
    const module = predictDelayModule(safe, WAIT);
    const stop = cancellationTransaction(parties, module, 3n, 2n);
    for (const changed of [
      { to: predictDelayModule(safe, EXIT) },
      { data: `0x${'a9059cbb'}${'0'.repeat(64)}` },
      { operation: 1 },
    ] as const) {
      const offered = platformOf(after, { ...stop, ...changed }, OWNER.address);
      await expect(stopRecovery(offered.client, OWNER)).rejects.toThrow(UnexpectedTextError);
      expect(offered.signatures).toEqual([]);
    }
    expect([...asked.signatures, ...right.signatures]).toEqual([]);
  });
});
