import { gzipSync } from 'node:zlib';
import { bundleScript } from '@florin/image';
import type { Platform } from '@florin/local';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { type AnnouncedWallet, createAnnouncedWallet } from '../../app/announced-wallet.ts';
import { collectScripts, countBytes } from '../../app/first-load.ts';
import { slowConnection } from '../../app/slow-connection.ts';
import { createApiClient } from '../../support/api-client.ts';
import { openBrowser } from '../../support/browser.ts';
import { createCard, decide, type Person, raiseChallenge, registerPerson } from '../../support/story.ts';
import { onPlatform } from '../on-platform.ts';
import { median, type Row } from '../row.ts';
import { sized } from '../sized.ts';
import { firstPaintMs, interactionsOf, largestPaintMs, openSlowPage } from './slow-page.ts';

const VISITS = sized(15, 1);
const ROUNDS = sized(13, 1);
const CHALLENGES = sized(15, 1);

const PHONE = { width: 390, height: 844 };
const PATIENCE_MS = 60_000;

type Stage = { browser: Browser; url: string; person: Person; wallet: AnnouncedWallet };

/** A phone on which nothing is cached. */
const openPhone = async ({ browser, wallet }: Stage): Promise<BrowserContext> => {
  const context = await browser.newContext({ locale: 'en-GB', viewport: PHONE });
  context.setDefaultTimeout(PATIENCE_MS);
  await wallet.announceTo(context);
  return context;
};

const signInOn = async (page: Page, url: string): Promise<void> => {
  await page.goto(url);
  await page.getByRole('button', { name: 'Continue with Announced Wallet' }).click();
  await page.getByText('You can spend').waitFor();
};

/** The paint of the first screen for somebody who was never here, and for somebody who comes back; and what the first one loads. */
const benchPaints = async (stage: Stage): Promise<Row[]> => {
  const [first, again]: [number[], number[]] = [[], []];
  let [scriptBytes, allBytes] = [0, 0];
  for (let visit = 0; visit < VISITS; visit += 1) {
    const context = await openPhone(stage);
    const page = await openSlowPage(context);
    const scripts = collectScripts(page);
    const bytes = await countBytes(page);
    await page.goto(stage.url, { waitUntil: 'networkidle' });
    await page.getByRole('heading', { name: 'Choose a wallet' }).waitFor();
    first.push(await largestPaintMs(page));
    [scriptBytes, allBytes] = [await scripts(), bytes()];
    await context.close();
  }
  const context = await openPhone(stage);
  const page = await openSlowPage(context);
  await signInOn(page, stage.url);
  for (let visit = 0; visit < VISITS; visit += 1) {
    await page.reload();
    await page.getByText('You can spend').waitFor();
    again.push(await largestPaintMs(page));
  }
  await context.close();
  return [
    { name: 'largest paint, first visit, median', value: median(first), unit: 'ms' },
    { name: 'largest paint, first visit, worst', value: Math.max(...first), unit: 'ms' },
    { name: 'largest paint, signed in, median', value: median(again), unit: 'ms' },
    { name: 'largest paint, signed in, worst', value: Math.max(...again), unit: 'ms' },
    { name: 'JavaScript of the first screen, gzipped', value: scriptBytes / 1024, unit: 'KiB' },
    { name: 'transferred by the page until the first screen', value: allBytes / 1024, unit: 'KiB' },
  ];
};

const SCREENS = ['Cards', 'Payments', 'Account', 'Security', 'Home'] as const;

/** The pressed controls: every screen of the menu, the sheet above them, and fields. */
const benchInteractions = async (stage: Stage): Promise<Row[]> => {
  const context = await openPhone(stage);
  const page = await openSlowPage(context);
  await signInOn(page, stage.url);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const screen of SCREENS) {
      await page.getByRole('navigation').getByRole('link', { name: screen, exact: true }).click();
      await page.getByRole('heading', { level: 1, name: screen }).waitFor({ state: 'attached' });
    }
    await page.getByRole('button', { name: 'Sandbox', exact: true }).click();
    await page.getByRole('dialog').getByLabel('Amount').first().pressSequentially('5');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
  const { inpMs, worst, count } = await interactionsOf(page);
  await context.close();
  return [
    { name: 'interaction to next paint', value: inpMs, unit: 'ms' },
    { name: `interaction, worst: ${worst.on}`, value: worst.duration, unit: 'ms' },
    { name: 'interactions', value: count, unit: '' },
  ];
};

/** The first paint on a slow connection of the page, which the service worker's own fetches do not share: of the page that it has kept, and on a first visit. */
const benchShell = async (stage: Stage): Promise<Row[]> => {
  const [kept, first]: [number[], number[]] = [[], []];
  const context = await openPhone(stage);
  const page = await openSlowPage(context);
  await signInOn(page, stage.url);
  await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
  await slowConnection(page);
  for (let visit = 0; visit < VISITS; visit += 1) {
    await page.reload({ waitUntil: 'commit' });
    kept.push(await firstPaintMs(page));
    await page.getByText('You can spend').waitFor();
  }
  await context.close();
  for (let visit = 0; visit < sized(5, 1); visit += 1) {
    const fresh = await openPhone(stage);
    const slow = await openSlowPage(fresh);
    await slowConnection(slow);
    await slow.goto(stage.url, { waitUntil: 'commit' });
    first.push(await firstPaintMs(slow));
    await fresh.close();
  }
  return [
    { name: 'first paint at 50 KB/s, from the service worker, median', value: median(kept), unit: 'ms' },
    { name: 'first paint at 50 KB/s, from the service worker, worst', value: Math.max(...kept), unit: 'ms' },
    { name: 'first paint at 50 KB/s, first visit, median', value: median(first), unit: 'ms' },
  ];
};

/** From the call that raises a challenge until its sheet shows the text that will be signed. */
const benchSheets = async (stage: Stage, platform: Platform): Promise<Row[]> => {
  const { person, url } = stage;
  const api = createApiClient(platform.urls.gateway);
  const cardId = await createCard(api, person.token);
  const context = await openPhone(stage);
  const page = await openSlowPage(context);
  await signInOn(page, url);
  const times: number[] = [];
  let first = 0;
  for (let round = 0; round <= CHALLENGES; round += 1) {
    const shown = page.evaluate<number>(
      `new Promise((resolve) => {
         const look = () => { if (document.querySelector('.signed-text') === null) return requestAnimationFrame(look); resolve(Date.now()); };
         look();
       })`,
    );
    const began = Date.now();
    const challengeId = await raiseChallenge(api, person.token, cardId);
    const time = (await shown) - began;
    if (round === 0) first = time;
    else times.push(time);
    await decide(api, person, challengeId, 'decline');
    await page.getByRole('heading', { name: 'Declined' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
  await context.close();
  return [
    { name: 'challenge raised until its sheet is shown, the first since the sign-in', value: first, unit: 'ms' },
    { name: 'challenge raised until its sheet is shown, median', value: median(times), unit: 'ms' },
    { name: 'challenge raised until its sheet is shown, worst', value: Math.max(...times), unit: 'ms' },
  ];
};

/** The client as apps bundle it. */
const benchClient = async (): Promise<Row[]> => {
  const size = async (entry: string): Promise<number> =>
    gzipSync(await bundleScript(new URL(entry, import.meta.url).pathname), { level: 9 }).length;
  return [
    { name: '@florin/client, gzipped', value: (await size('../../../gateway/client/src/index.ts')) / 1024, unit: 'KiB' },
    { name: '@florin/client/viem, gzipped', value: (await size('../../../gateway/client/src/viem/index.ts')) / 1024, unit: 'KiB' },
  ];
};

/** The cardholder's app in Chromium, as on a phone whose processor is four times slower than this one. */
export const benchApp = (report: (line: string) => void): Promise<Row[]> =>
  onPlatform(
    report,
    async (platform) => {
      const browser = await openBrowser(report);
      if (browser === undefined) throw new Error('the benchmark needs Chromium');
      try {
        const wallet = createAnnouncedWallet();
        const person = await registerPerson(createApiClient(platform.urls.gateway), wallet.wallet);
        const stage = { browser, url: `${platform.urls.gateway}/app`, person, wallet };
        await createCard(createApiClient(platform.urls.gateway), person.token);
        const rows: Row[] = [];
        for (const [name, bench] of Object.entries({
          paints: benchPaints,
          shell: benchShell,
          interactions: benchInteractions,
          sheets: benchSheets,
        })) {
          report(name);
          rows.push(...(await bench(stage, platform)));
        }
        return [...rows, ...(await benchClient())];
      } finally {
        await browser.close();
      }
    },
    { SERVE_APP: 'true' },
  );
