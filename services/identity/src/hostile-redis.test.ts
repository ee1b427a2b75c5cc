import { openRedis, type Redis } from '@florin/data/redis';
import { SiwePurpose } from '@florin/proto/identity/v1/auth_service';
import { WalletChange } from '@florin/proto/identity/v1/wallet_service';
import { quietLogger } from '@florin/rpc/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { approve, proofToAdd, proveNew, removeApproved } from './testing/wallets.ts';
import {
  as,
  type Clients,
  codeFor,
  createWorld,
  emailCode,
  newEmail,
  newUser,
  newWallet,
  signIn,
  type World,
  wrong,
} from './testing/world.ts';

/** A database of Redis that no other test uses, so that the attacker can do with all of it as they like. */
const DATABASE = '/8';

/** Time of every record that the attacker prolongs. */
const FAR = Date.parse('2099-01-01T00:00:00Z');

let world: World;
let clients: Clients;
let redis: Redis;

beforeAll(async () => {
  world = await createWorld();
  const redisUrl = new URL(DATABASE, world.env['REDIS_URL']).href;
  redis = await openRedis(redisUrl, quietLogger);
  clients = world.clientsOf((await world.start({}, { REDIS_URL: redisUrl })).url);
});
beforeEach(() => redis.flushDb());
afterAll(async () => {
  redis?.destroy();
  await world?.close();
});

type Records = ReadonlyMap<string, string>;
const BYTES = { 36: Buffer } as const;
const bytes = () => redis.withTypeMapping(BYTES);

/** Everything in Redis, as it can be restored later or under other names. */
const copyAll = async (): Promise<Records> => {
  const copies = new Map<string, string>();
  for await (const keys of redis.scanIterator({ COUNT: 1000 })) {
    for (const key of keys) {
      const dump = (await bytes().dump(key)) as unknown as Buffer | null;
      if (dump !== null) copies.set(key, dump.toString('base64'));
    }
  }
  return copies;
};

const restore = async (key: string, dump: string): Promise<void> => {
  await bytes().restore(key, 0, Buffer.from(dump, 'base64') as never, { REPLACE: true });
};

/** Brings back the state of a copy, and nothing else. */
const rollBack = async (records: Records): Promise<void> => {
  await redis.flushDb();
  for (const [key, dump] of records) await restore(key, dump);
};

/** Replaces one text by another, in the names and the fields of all records. */
const replaceEverywhere = async (from: string, to: string): Promise<void> => {
  for (const [key, dump] of await copyAll()) {
    await restore(key.replaceAll(from, to), dump);
    if ((await redis.type(key)) !== 'hash') continue;
    for (const [field, value] of Object.entries(await redis.hGetAll(key))) {
      await redis.hSet(key.replaceAll(from, to), field.replaceAll(from, to), value.replaceAll(from, to));
    }
  }
};

/** Makes every record unused, untried and valid for ever. */
const revive = async (): Promise<void> => {
  for (const [key] of await copyAll()) {
    await redis.persist(key);
    if ((await redis.type(key)) !== 'hash') continue;
    for (const [field, value] of Object.entries(await redis.hGetAll(key))) {
      if (/^(?:used|completed)$/.test(field)) await redis.hDel(key, field);
      if (/expiresAt$/i.test(field)) await redis.hSet(key, field, String(FAR));
      if (field === 'tries') await redis.hSet(key, field, '0');
      if (!value.startsWith('{')) continue;
      const { use, ...entry } = JSON.parse(value) as Record<string, unknown>;
      await redis.hSet(key, field, JSON.stringify({ ...entry, expiresAt: FAR }));
    }
  }
};

const walletsOf = async (token: string): Promise<string[]> =>
  ((await clients.users.getCurrentUser({}, as(token))).user?.wallets ?? []).map(({ address }) => address);

describe('whoever writes Redis', () => {
  it('revives no used sign-in message, and none that has expired', async () => {
    const wallet = newWallet();
    const { message, signature } = await proveNew(clients, wallet, { purpose: SiwePurpose.SIGN_IN });
    const before = await copyAll();
    await clients.auth.signIn({ message, signature });
    await rollBack(before);
    await expect(clients.auth.signIn({ message, signature })).rejects.toMatchObject({ code: 'NONCE_USED' });
    await revive();
    await expect(clients.auth.signIn({ message, signature })).rejects.toMatchObject({ code: 'NONCE_USED' });
    const unused = await proveNew(clients, wallet, { purpose: SiwePurpose.SIGN_IN });
    await revive();
    world.clock.advanceSeconds(600);
    await expect(clients.auth.signIn(unused)).rejects.toMatchObject({ code: 'NONCE_EXPIRED' });
    await expect(clients.auth.signIn({ message, signature })).rejects.toMatchObject({ code: 'NONCE_EXPIRED' });
  });

  it('turns no message for a new wallet into a sign-in, nor the reverse', async () => {
    const { userToken, wallet } = await newUser(clients);
    const other = newWallet();
    const toAdd = await proveNew(clients, other);
    await replaceEverywhere('add_wallet', 'sign_in');
    await expect(clients.auth.signIn(toAdd)).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' });
    const toSignIn = await proveNew(clients, other, { purpose: SiwePurpose.SIGN_IN });
    await replaceEverywhere('sign_in', 'add_wallet');
    const approval = await approve(clients, userToken, other.address, wallet);
    await expect(clients.wallets.addWallet({ ...toSignIn, approval }, as(userToken))).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' });
    expect(await walletsOf(userToken)).toEqual([wallet.address]);
  });

  it('makes no message genuine that identity did not issue', async () => {
    const [mine, theirs] = [newWallet(), newWallet()];
    const { message } = await proveNew(clients, mine, { purpose: SiwePurpose.SIGN_IN });
    const forged = message.replace(mine.address, theirs.address);
    await replaceEverywhere(mine.address, theirs.address);
    const signature = await theirs.signMessage({ message: forged });
    await expect(clients.auth.signIn({ message: forged, signature })).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' });
  });

  it('turns no approval into one of another wallet, change or user', async () => {
    const [ann, bob] = [await newUser(clients), await newUser(clients)];
    const [wanted, evil] = [newWallet(), newWallet()];
    const approval = await approve(clients, ann.userToken, wanted.address, ann.wallet);
    const addEvil = async (token: string, used = approval) =>
      clients.wallets.addWallet({ ...(await proveNew(clients, evil)), approval: used }, as(token));
    await replaceEverywhere(wanted.address, evil.address);
    await expect(addEvil(ann.userToken)).rejects.toMatchObject({ code: 'INVALID_APPROVAL' });
    await replaceEverywhere(ann.userId, bob.userId);
    await expect(addEvil(bob.userToken)).rejects.toMatchObject({ code: 'INVALID_APPROVAL' });
    const toPromote = await approve(clients, ann.userToken, evil.address, ann.wallet, WalletChange.MAKE_PRIMARY);
    await replaceEverywhere('make_primary', 'add');
    await expect(addEvil(ann.userToken, toPromote)).rejects.toMatchObject({ code: 'INVALID_APPROVAL' });
    expect(await walletsOf(ann.userToken)).toEqual([ann.wallet.address]);
    expect(await walletsOf(bob.userToken)).toEqual([bob.wallet.address]);
  });

  it('revives no used approval, and none that has expired', async () => {
    const { userToken, wallet } = await newUser(clients);
    const other = newWallet();
    const proof = await proofToAdd(clients, userToken, other, wallet);
    const before = await copyAll();
    await clients.wallets.addWallet(proof, as(userToken));
    await removeApproved(clients, userToken, other.address, wallet);
    await rollBack(before);
    await expect(clients.wallets.addWallet(proof, as(userToken))).rejects.toMatchObject({ code: 'NONCE_USED' });
    const again = { ...(await proveNew(clients, other)), approval: proof.approval };
    await expect(clients.wallets.addWallet(again, as(userToken))).rejects.toMatchObject({ code: 'NONCE_USED' });
    const late = await approve(clients, userToken, other.address, wallet);
    await revive();
    world.clock.advanceSeconds(600);
    const { accessToken } = await signIn(clients, wallet);
    const expired = { ...(await proveNew(clients, other)), approval: late };
    await expect(clients.wallets.addWallet(expired, as(accessToken))).rejects.toMatchObject({ code: 'NONCE_EXPIRED' });
    expect(await walletsOf(accessToken)).toEqual([wallet.address]);
  });

  it.each([
    ['changes', revive],
    ['deletes', () => redis.flushDb()],
  ])('gets no sixth guess of a code when they %s its record', async (_what, attack) => {
    const wallet = newWallet();
    const { accessToken } = await signIn(clients, wallet);
    const email = newEmail();
    const code = await emailCode(clients, accessToken, email);
    const guess = (otp: string) => clients.users.registerUser({ email, otp }, as(accessToken));
    for (let tries = 0; tries < 5; tries += 1) {
      await expect(guess(wrong(code))).rejects.toMatchObject({ code: 'INVALID_OTP' });
      await attack();
    }
    await expect(guess(wrong(code))).rejects.toMatchObject({ code: 'OTP_ATTEMPTS_EXCEEDED' });
    await expect(guess(code)).rejects.toMatchObject({ code: 'OTP_ATTEMPTS_EXCEEDED' });
  });

  it('gets no sixth guess of a code when they roll its record back', async () => {
    const { userToken, userId } = await newUser(clients);
    const phone = '+4915112345678';
    await clients.codes.sendPhoneCode({ phone }, as(userToken));
    const code = await codeFor(clients, phone);
    const before = await copyAll();
    const guess = (text: string) => clients.card.verifyPhoneCode({ userId, code: text, verificationId: crypto.randomUUID() });
    for (let tries = 0; tries < 5; tries += 1) {
      await expect(guess(wrong(code))).rejects.toMatchObject({ code: 'INVALID_CODE' });
      await rollBack(before);
    }
    await expect(guess(code)).rejects.toMatchObject({ code: 'CODE_ATTEMPTS_EXCEEDED' });
  });

  it('proves no other number with a code, and uses no code twice or late', async () => {
    const { userToken, userId } = await newUser(clients);
    const [mine, theirs] = ['+4915112345679', '+4915112345670'];
    await clients.codes.sendPhoneCode({ phone: mine }, as(userToken));
    const code = await codeFor(clients, mine);
    const first = await copyAll();
    await clients.codes.sendPhoneCode({ phone: theirs }, as(userToken));
    // The record of the code for the other number, with the proof of the first code.
    for (const [key] of await copyAll()) {
      if ((await redis.type(key)) !== 'hash') continue;
      const recipient = await redis.hGet(key, 'recipient');
      if (recipient === null || !first.has(key)) continue;
      await restore(key, first.get(key) ?? '');
      await redis.hSet(key, 'recipient', recipient);
    }
    const verify = () => clients.card.verifyPhoneCode({ userId, code, verificationId: crypto.randomUUID() });
    const proven = await verify().catch(() => undefined);
    expect(proven?.phone).not.toBe(theirs);

    const other = await newUser(clients);
    await clients.codes.sendPhoneCode({ phone: mine }, as(other.userToken));
    const used = { userId: other.userId, code: await codeFor(clients, mine) };
    const before = await copyAll();
    await clients.card.verifyPhoneCode({ ...used, verificationId: crypto.randomUUID() });
    await rollBack(before);
    await expect(clients.card.verifyPhoneCode({ ...used, verificationId: crypto.randomUUID() })).rejects.toMatchObject({
      code: 'INVALID_CODE',
    });
  });

  it('has no more codes sent than the limits allow', async () => {
    const { accessToken } = await signIn(clients, newWallet());
    const email = newEmail();
    const outcomes: string[] = [];
    for (let count = 0; count < 8; count += 1) {
      await redis.flushDb();
      const sent = clients.codes.sendEmailCode({ email, ip: '192.0.2.77' }, as(accessToken));
      outcomes.push(
        await sent.then(
          () => 'sent',
          ({ code }: { code: string }) => code,
        ),
      );
      world.clock.advanceSeconds(31);
    }
    expect(outcomes).toEqual([...Array.from({ length: 5 }, () => 'sent'), 'RATE_LIMITED', 'RATE_LIMITED', 'RATE_LIMITED']);
  });

  it('gets no more exports than the limit allows', async () => {
    const { wallet, userToken } = await newUser(clients);
    for (let count = 0; count < 5; count += 1) await clients.personalData.exportPersonalData({}, as(userToken));
    await redis.flushDb();
    const { accessToken } = await signIn(clients, wallet);
    await expect(clients.personalData.exportPersonalData({}, as(accessToken))).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  });

  it("shows nobody the page of another person's identity check, and does not keep them from their own", async () => {
    const [ann, bob] = [await newUser(clients), await newUser(clients)];
    const { url: anns } = await clients.kyc.createKycSession({}, as(ann.userToken));
    await replaceEverywhere(ann.userId, bob.userId);
    const { url: bobs } = await clients.kyc.createKycSession({}, as(bob.userToken));
    expect(bobs).toMatch(/^https?:/);
    expect(bobs).not.toBe(anns);
  });

  it('registers no wallet twice by taking the lock away', async () => {
    const wallet = newWallet();
    const { accessToken } = await signIn(clients, wallet);
    const email = newEmail();
    const otp = await emailCode(clients, accessToken, email);
    const attempts = Array.from({ length: 6 }, async () => {
      await redis.flushDb();
      return clients.users.registerUser({ email, otp }, as(accessToken));
    });
    const ids = (await Promise.allSettled(attempts)).flatMap((result) => (result.status === 'fulfilled' ? [result.value.userId] : []));
    expect(new Set(ids).size).toBe(1);
    expect(await world.usersOf(email)).toHaveLength(1);
  });
});
