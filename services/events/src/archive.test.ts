import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runCommandLine } from './cli/run-command-line.ts';
import { createWorld, type Events, newId, type World } from './testing/world.ts';

/** Enough on a machine with other work. */
const LONG = { timeout: 120_000 };

let world: World;
let events: Events;
let directory: string;

beforeAll(async () => {
  world = await createWorld({ FOLLOW_JOURNAL: 'false' });
  events = await world.start();
});
afterAll(() => world.close());
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'florin-archive-'));
  await world.connection.collection('feed_blocks').deleteMany({});
  await world.connection.collection('feed_archives').deleteMany({});
});
afterEach(() => rm(directory, { recursive: true, force: true }));

/** Runs `npm run events -- …` in this process, by its clock. */
const runAt = async (now: Date, ...args: string[]) => {
  let output = '';
  const stream = { write: (text: string) => (output += text) };
  const code = await runCommandLine({ args, environment: world.environment, now: () => now, out: stream, err: stream });
  return { code, output };
};
const run = (...args: string[]) => runAt(new Date(), ...args);

const newPartner = (): string => `p-${newId().slice(-12)}`;

const TYPES = ['payment.authorized', 'payment.cleared', 'card.frozen'] as const;

/** Appends blocks of three events. @returns the ids of the events */
const append = async (userId: string, blocks: number): Promise<string[]> => {
  const ids: string[] = [];
  for (let index = 0; index < blocks; index += 1) {
    const batch = TYPES.map((type) => world.cardEvent(userId, newId(), 1, type));
    await events.feed.appendEvents({ events: batch }, events.card);
    ids.push(...batch.map(({ id }) => id));
  }
  return ids;
};

/** Makes the blocks of a feed up to a number old enough. */
const age = (feed: string, n: number) =>
  world.connection.collection('feed_blocks').updateMany({ feed, n: { $lte: n } }, { $set: { at: new Date(0) } });

/** A feed with nine events of which six are old enough. */
const oldFeed = async () => {
  const partner = newPartner();
  const userId = world.newUser(partner);
  const ids = await append(userId, 3);
  await age(partner, 2);
  return { partner, userId, ids };
};

const list = (partner: string, after = '', types: string[] = []) =>
  events.feed.listEvents({ partnerId: partner, after, types }, events.backOffice);

const asUser = async (userId: string, partnerId: string) => ({
  headers: {
    authorization: `Bearer ${await world.authority.userToken({ wallet: '0x52908400098527886E0F7030069857D2E4169EE7', userId, partnerId })}`,
  },
});

const nameOf = (partner: string, first: number, last: number): string =>
  `${partner}.${String(first).padStart(15, '0')}-${String(last).padStart(15, '0')}.jsonl.gz`;

describe('archiving events', LONG, () => {
  it('takes no event before its time by a clock that is ahead', async () => {
    const partner = newPartner();
    await append(world.newUser(partner), 3);
    await age(partner, 1);
    expect(await runAt(new Date(Date.now() + 91 * 86_400_000), 'archive', directory)).toMatchObject({ code: 0 });
    expect(await readdir(directory)).toEqual([nameOf(partner, 1, 3)]);
  });

  it('moves those that are old enough to a file, which holds them all', async () => {
    const { partner, userId, ids } = await oldFeed();
    expect(await run('archive', directory)).toEqual({ code: 0, output: `${partner}: events 1 to 6 are in ${nameOf(partner, 1, 6)}\n` });
    expect(await run('verify', directory)).toEqual({ code: 0, output: `${partner}: events 1 to 6 in 1 file, none missing\n` });
    const lines = gunzipSync(await readFile(join(directory, nameOf(partner, 1, 6))))
      .toString()
      .trim()
      .split('\n');
    const stored = lines.flatMap(
      (line) => (JSON.parse(line) as { block?: { events: { id: string; userId: string }[] } }).block?.events ?? [],
    );
    expect(stored.map(({ id }) => id)).toEqual(ids.slice(0, 6));
    expect(new Set(stored.map((event) => event.userId))).toEqual(new Set([userId]));
    expect(await world.connection.collection('feed_blocks').countDocuments({ feed: partner })).toBe(1);
    expect(await run('archive', directory)).toEqual({ code: 0, output: `${partner}: nothing to archive\n` });
  });

  it('lets readers begin after the archive, and tells those before it where to go on', async () => {
    const { partner, userId, ids } = await oldFeed();
    await run('archive', directory);
    const options = await asUser(userId, partner);
    for (const after of [`${partner}:0`, `${partner}:5`]) {
      const code = { code: 'EVENTS_ARCHIVED', metadata: { firstCursor: `${partner}:6` } };
      await expect(list(partner, after)).rejects.toMatchObject(code);
      await expect(events.feed.listUserEvents({ after }, options)).rejects.toMatchObject(code);
    }
    for (const after of ['', `${partner}:6`]) {
      const page = await list(partner, after);
      expect(page.events.map(({ id }) => id)).toEqual(ids.slice(6));
      expect(page.events.map(({ previousSequence }) => previousSequence)).toEqual([6n, 7n, 8n]);
      const own = await events.feed.listUserEvents({ after }, options);
      expect(own.events.map(({ id }) => id)).toEqual(ids.slice(6));
    }
    // A filtered reader still learns what preceded the first event that is kept.
    const cleared = await list(partner, `${partner}:6`, ['payment.cleared']);
    expect(cleared.events.map(({ sequence, previousSequence }) => [sequence, previousSequence])).toEqual([[8n, 5n]]);
  });

  it('goes on where it ended, with files that follow on each other and on the feed', async () => {
    const { partner, userId, ids } = await oldFeed();
    await run('archive', directory);
    ids.push(...(await append(userId, 1)));
    await age(partner, 3);
    await run('archive', directory);
    expect((await readdir(directory)).sort()).toEqual([nameOf(partner, 1, 6), nameOf(partner, 7, 9)]);
    expect((await run('verify', directory)).output).toBe(`${partner}: events 1 to 9 in 2 files, none missing\n`);
    expect((await list(partner)).events.map(({ id }) => id)).toEqual(ids.slice(9));
  });

  it('keeps the newest block of a feed, because the next one is numbered after it', async () => {
    const { partner, userId, ids } = await oldFeed();
    await age(partner, 3);
    await run('archive', directory);
    ids.push(...(await append(userId, 1)));
    const page = await list(partner, `${partner}:6`);
    expect(page.events.map(({ sequence }) => sequence)).toEqual([7n, 8n, 9n, 10n, 11n, 12n]);
    expect(page.events.map(({ id }) => id)).toEqual(ids.slice(6));
  });

  it.each([
    ['is cut off', (content: Buffer) => content.subarray(0, content.length - 40), 'FILE_BROKEN'],
    [
      'was changed',
      (content: Buffer) => gzipSync(gunzipSync(content).toString().replace('\\"status\\":\\"pending\\"', '\\"status\\":\\"settled\\"')),
      'FILE_BROKEN',
    ],
    [
      'is of another feed',
      (content: Buffer) =>
        gzipSync(
          gunzipSync(content)
            .toString()
            .replace(/"feed":"[^"]+"/, '"feed":"other"'),
        ),
      'FILE_BROKEN',
    ],
    [
      'lost its end',
      (content: Buffer) => gzipSync(`${gunzipSync(content).toString().trim().split('\n').slice(0, -1).join('\n')}\n`),
      'FILE_BROKEN',
    ],
  ])('notices a file that %s', async (_what, change, code) => {
    const { partner } = await oldFeed();
    await run('archive', directory);
    const path = join(directory, nameOf(partner, 1, 6));
    await writeFile(path, change(await readFile(path)));
    expect(await run('verify', directory)).toMatchObject({ code: 1, output: expect.stringContaining(code) });
  });

  it('notices a file that is missing between two', async () => {
    const { partner, userId } = await oldFeed();
    for (const n of [2, 3, 4]) {
      await age(partner, n);
      await run('archive', directory);
      await append(userId, 1);
    }
    await rm(join(directory, nameOf(partner, 7, 9)));
    expect(await run('verify', directory)).toMatchObject({ code: 1, output: expect.stringContaining('FILES_NOT_CONTIGUOUS') });
  });

  it('deletes nothing when a file of the same events is there that has others', async () => {
    const { partner } = await oldFeed();
    await run('archive', directory);
    const archive = await readFile(join(directory, nameOf(partner, 1, 6)));
    const other = await oldFeed();
    const content = gunzipSync(archive).toString().replace(`"feed":"${partner}"`, `"feed":"${other.partner}"`).split('\n').slice(0, -2);
    const sha256 = createHash('sha256')
      .update(`${content.join('\n')}\n`)
      .digest('hex');
    const end = JSON.stringify({ end: { blocks: content.length - 1, sha256 } });
    await writeFile(join(directory, nameOf(other.partner, 1, 6)), gzipSync(`${content.join('\n')}\n${end}\n`));
    expect(await run('archive', directory)).toMatchObject({ code: 1, output: expect.stringContaining('ARCHIVE_DIFFERS') });
    expect((await list(other.partner)).events.map(({ id }) => id)).toEqual(other.ids);
  });

  it.each([[[]], [['archive']], [['forget', '/tmp']], [['archive', 'a', 'b']]])('does not understand %j', async (args) => {
    expect(await run(...args)).toMatchObject({ code: 2, output: expect.stringContaining('usage') });
  });

  it('needs a directory', async () => {
    await oldFeed();
    expect(await run('archive', join(directory, 'none'))).toMatchObject({ code: 1, output: expect.stringContaining('NO_DIRECTORY') });
  });
});

describe('an archive run', LONG, () => {
  const MAIN = join(import.meta.dirname, 'cli/main.ts');
  const KILLER = createRequire(import.meta.url).resolve('@florin/data/testing/kill-at-step');

  /** A process of its own, killed with SIGKILL just before its write number `step`. @returns whether it was killed */
  const runKilled = async (step: number): Promise<boolean> => {
    const env = { PATH: '', ...(world.environment as Record<string, string>), KILL_AT_STEP: String(step) };
    const child = spawn(process.execPath, ['--import', KILLER, MAIN, 'archive', directory], { env, stdio: 'ignore' });
    const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
    if (signal === null) expect(code).toBe(0);
    return signal === 'SIGKILL';
  };

  it('that is killed before any of its writes loses no event, and is completed by the next', async () => {
    let kills = 0;
    for (let isKilled = true; isKilled; kills += Number(isKilled)) {
      const { partner, ids } = await oldFeed();
      isKilled = await runKilled(kills + 1);
      const archives = world.connection.collection<{ _id: string; last: number }>('feed_archives');
      const floor = (await archives.findOne({ _id: partner }))?.last ?? 0;
      const whole = `${partner}: events 1 to 6 in 1 file, none missing\n`;
      // Events that are not in the feed are in a complete file.
      if (floor > 0) expect((await run('verify', directory)).output).toContain(whole);
      expect((await list(partner)).events.map(({ id }) => id)).toEqual(ids.slice(floor));
      expect(await run('archive', directory)).toMatchObject({ code: 0 });
      expect((await run('verify', directory)).output).toContain(whole);
      expect((await list(partner)).events.map(({ id }) => id)).toEqual(ids.slice(6));
      expect(await world.connection.collection('feed_blocks').countDocuments({ feed: partner })).toBe(1);
    }
    expect(kills).toBe(3);
  });
});
