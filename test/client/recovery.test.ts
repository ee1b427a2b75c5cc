import { createClient } from '@florin/client';
import { prepareBackupKey, requestRecovery, stopRecovery } from '@florin/client/recovery';
import { planOf, UnexpectedTextError } from '@florin/client/viem';
import {
  cancellationTransaction,
  DELAY_1_0_1,
  encodeMultiSend,
  exchangeCall,
  exitWithBackup,
  namingTransaction,
  predictDelayModule,
  predictSafeAddress,
  recoverySafe,
  requestTransaction,
  SAFE_CONTRACTS,
  type SafeTransaction,
  safeTypedData,
  setUpTransaction,
} from '@florin/evm/safe';
import { type Address, encodeAbiParameters, type Hex, toFunctionSelector } from 'viem';
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
      const { signature, proof } = JSON.parse(String(init.body)) as { signature: string; proof?: string };
      signatures.push(signature, ...(proof === undefined ? [] : [proof]));
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
  await prepared.submit(OWNER, BACKUP);
  return { ...prepared, signatures };
};

const MODULES = 'getModulesPaginated(address,uint256)';
const PAIR = ({ parties }: Scene): Address => recoverySafe(parties, BACKUP.address);

/** When the request came into a queue, in seconds since 1970. */
const CREATED = 1_800_000_000n;

/** The results of contracts' views, by address and function, the chain, and the time of its newest block. */
type Answers = Record<string, Address | readonly Address[] | bigint>;

/** The answers of an honest node about an account with a backup key. */
const answersOf = (scene: Scene, owner: Address, wait = WAIT): Answers => {
  const { safe, control } = scene;
  const [exit, waiting] = [predictDelayModule(safe, control.delay), predictDelayModule(safe, wait)];
  const ofModule = (module: Address, user: Address, { cooldownSeconds, expirationSeconds }: typeof WAIT): Answers => ({
    [`${module} ${MODULES}`]: [user],
    [`${module} owner()`]: safe,
    [`${module} avatar()`]: safe,
    [`${module} target()`]: safe,
    [`${module} txCooldown()`]: BigInt(cooldownSeconds),
    [`${module} txExpiration()`]: BigInt(expirationSeconds),
    [`${module} txNonce()`]: 2n,
    [`${module} queueNonce()`]: 2n,
    [`${module} getTxCreatedAt(uint256)`]: CREATED,
  });
  return {
    chain: 100n,
    time: CREATED + BigInt(wait.cooldownSeconds + wait.expirationSeconds),
    [`${safe} masterCopy()`]: SAFE_CONTRACTS.l2Singleton.address,
    [`${safe} getOwners()`]: [owner, PLATFORM.address],
    [`${safe} getThreshold()`]: 2n,
    [`${safe} ${MODULES}`]: [waiting, exit],
    ...ofModule(exit, owner, control.delay),
    ...ofModule(waiting, PAIR(scene), wait),
  };
};

const nodeOf = (answers: Answers) => ({
  request: async ({
    method,
    params,
  }: {
    method: string;
    params: readonly [{ to: string; data: string }];
  }): Promise<Hex | { timestamp: string }> => {
    if (method === 'eth_chainId') return `0x${answers['chain']?.toString(16)}`;
    if (method === 'eth_getBlockByNumber') return { timestamp: `0x${answers['time']?.toString(16)}` };
    const [{ to, data }] = params;
    const isAsked = (key: string): boolean => {
      const [address = '', view = ''] = key.split(' ');
      return address.toLowerCase() === to && toFunctionSelector(`function ${view}`) === data.slice(0, 10);
    };
    const found = Object.entries(answers).find(([key]) => key !== 'chain' && isAsked(key))?.[1];
    if (found === undefined) throw new Error(`nothing at ${to} answers ${data}`);
    if (typeof found === 'bigint') return encodeAbiParameters([{ type: 'uint256' }], [found]);
    if (typeof found === 'string') return encodeAbiParameters([{ type: 'address' }], [found]);
    if (data.length === 10) return encodeAbiParameters([{ type: 'address[]' }], [found]);
    return encodeAbiParameters([{ type: 'address[]' }, { type: 'address' }], [found, '0x0000000000000000000000000000000000000001']);
  },
});

describe('the keys of a recovery', async () => {
  const shared = await accountOf(true);

  it('sign what the chain service makes of any account', async () => {
    for (const scene of [shared, await accountOf(false)]) {
      const { signatures, exitSeconds, recoverySeconds } = await name(scene, naming(scene));
      expect({ exitSeconds, recoverySeconds }).toEqual({ exitSeconds: 73 * HOUR, recoverySeconds: 48 * HOUR });
      expect(signatures).toEqual([
        await OWNER.signTypedData(safeTypedData(naming(scene))),
        await BACKUP.signTypedData(safeTypedData(naming(scene))),
      ]);

      const asked = platformOf(scene.after, request(scene), BACKUP.address);
      await requestRecovery(asked.client, BACKUP, NEXT);
      expect(asked.signatures).toEqual([
        await BACKUP.signTypedData(safeTypedData(request(scene))),
        await NEXT.signTypedData(safeTypedData(request(scene))),
      ]);

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

  it('take the first owner from the caller, and the last one from the chain', async () => {
    const exchanged = { ...shared.after, deployment: { ...shared.after.deployment, owner: NEXT.address, firstOwner: OWNER.address } };
    const node = nodeOf({ ...answersOf(shared, NEXT.address) });
    const plan = await planOf(exchanged as never, NEXT.address, { node, firstOwner: OWNER.address });
    expect(plan).toMatchObject({ owner: NEXT.address.toLowerCase(), firstOwner: OWNER.address.toLowerCase() });
    // A stranger has made the Safe, and has given it to the wallet and the platform.
    const unknown = [undefined, NEXT.address, THIEF.address].map((firstOwner) =>
      planOf(exchanged as never, NEXT.address, { node, ...(firstOwner === undefined ? {} : { firstOwner }) }),
    );
    for (const one of unknown) await expect(one).rejects.toThrow(UnexpectedTextError);
    const hidden = { ...shared.before, deployment: { ...shared.before.deployment, owner: NEXT.address } };
    await expect(planOf(hidden as never, NEXT.address, { node, firstOwner: OWNER.address })).rejects.toThrow(UnexpectedTextError);
  });

  it('keep to the longest wait, also of a backup key that was named', async () => {
    const long = { ...WAIT, cooldownSeconds: 31 * 24 * HOUR };
    // Code that the answer names besides is not taken.
    const backup = { ...shared.shown, ...long, mastercopy: THIEF.address };
    const account = { ...shared.after, deployment: { ...shared.after.deployment, backup } };
    const node = nodeOf(answersOf(shared, OWNER.address, long));
    await expect(planOf(account as never, OWNER.address, { node })).rejects.toThrow(UnexpectedTextError);
    expect(await planOf(account as never, OWNER.address, { node, maxCooldownSeconds: 31 * 24 * HOUR })).toBeDefined();
  });

  const { safe } = shared;
  const [exit, waiting] = [predictDelayModule(safe, shared.control.delay), predictDelayModule(safe, WAIT)];
  it.each<[string, Partial<Answers>]>([
    ['another chain', { chain: 1n }],
    ['other code', { [`${safe} masterCopy()`]: THIEF.address }],
    ['another owner', { [`${safe} getOwners()`]: [OWNER.address, THIEF.address] }],
    ['one more owner', { [`${safe} getOwners()`]: [OWNER.address, PLATFORM.address, THIEF.address] }],
    ['one signature', { [`${safe} getThreshold()`]: 1n }],
    ['two modules and one more', { [`${safe} ${MODULES}`]: [exit, waiting, THIEF.address] }],
    ['without the exit', { [`${safe} ${MODULES}`]: [waiting] }],
    ...(
      [
        ['the exit', exit],
        ["the recovery's module", waiting],
      ] as const
    ).flatMap(([name, module]): [string, Partial<Answers>][] => [
      [`another user of ${name}`, { [`${module} ${MODULES}`]: [THIEF.address] }],
      [`no user of ${name}`, { [`${module} ${MODULES}`]: [] }],
      [`one more user of ${name}`, { [`${module} ${MODULES}`]: [module === exit ? OWNER.address : PAIR(shared), THIEF.address] }],
      [`another owner of ${name}`, { [`${module} owner()`]: THIEF.address }],
      [`another avatar of ${name}`, { [`${module} avatar()`]: THIEF.address }],
      [`another target of ${name}`, { [`${module} target()`]: THIEF.address }],
      [`another cooldown of ${name}`, { [`${module} txCooldown()`]: 60n }],
      [`another expiration of ${name}`, { [`${module} txExpiration()`]: 60n }],
      [`a request in the queue of ${name}`, { [`${module} queueNonce()`]: 3n }],
    ]),
  ])('make no plan of a Safe: %s', async (_name, changed) => {
    const answers = answersOf(shared, OWNER.address);
    expect(Object.keys(answers)).toEqual(expect.arrayContaining(Object.keys(changed)));
    expect(await planOf(shared.after as never, OWNER.address, { node: nodeOf(answers) })).toMatchObject({ module: exit.toLowerCase() });
    const wrong = nodeOf({ ...answers, ...changed } as Answers);
    await expect(planOf(shared.after as never, OWNER.address, { node: wrong })).rejects.toThrow(UnexpectedTextError);
  });

  it('make a plan although a request for an exchange has expired in the queue', async () => {
    const answers = answersOf(shared, OWNER.address);
    const plan = (changed: Partial<Answers>) =>
      planOf(shared.after as never, OWNER.address, { node: nodeOf({ ...answers, ...changed } as Answers) });
    const late = { time: CREATED + BigInt(WAIT.cooldownSeconds + WAIT.expirationSeconds + 1) };
    expect(await plan({ [`${waiting} queueNonce()`]: 3n, ...late })).toMatchObject({ module: exit.toLowerCase() });
    await expect(plan({ [`${exit} queueNonce()`]: 3n, ...late })).rejects.toThrow(UnexpectedTextError);
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
    await expect(requestRecovery(asked.client, BACKUP, NEXT)).rejects.toThrow(UnexpectedTextError);
    const right = platformOf(after, request(shared), BACKUP.address);
    await expect(requestRecovery(right.client, THIEF, NEXT)).rejects.toThrow(UnexpectedTextError);
    const module = predictDelayModule(safe, WAIT);
    const stop = cancellationTransaction(parties, module, 3n, 2n);
    const named = platformOf(shared.before, naming(shared), OWNER.address, { backup: shared.shown });
    const prepared = await prepareBackupKey(named.client, OWNER.address, BACKUP.address);
    await expect(prepared.submit(OWNER, THIEF)).rejects.toThrow(UnexpectedTextError);
    expect(named.signatures).toEqual([]);
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
