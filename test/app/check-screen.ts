import { join, resolve } from 'node:path';
import { processEnvironment } from '@florin/rpc/config';
import '@florin/rpc/testing/scaled';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect, inject } from 'vitest';
import { ROOT } from '../support/settings.ts';
import { comparePicture, savePicture, withoutPassing } from './compare-picture.ts';

const SIZES = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 800 } } as const;
const LOOKS = Object.entries(SIZES).flatMap(([device, size]) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ device, size, colorScheme })),
);

/** All looks in `npm run proof`. In `npm test` one of them, always the same for a screen. */
const looksAt = (name: string): typeof LOOKS => {
  if (inject('proof')) return LOOKS;
  const chosen = [...name].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % LOOKS.length;
  return LOOKS.slice(chosen, chosen + 1);
};

/** The levels A and AA of WCAG 2.2, as axe names them. */
const LEVELS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** All that differs where only the colours do. */
const COLOUR_RULES = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };

/** Expects that axe finds nothing on a screen (WCAG 2.2, A and AA). */
const expectAccessible = async (page: Page, runOnly: typeof LEVELS | typeof COLOUR_RULES): Promise<void> => {
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe.source);
  const options = { runOnly, resultTypes: ['violations'] };
  const found = await page.evaluate<string[]>(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => id + ' ' + target.join(' ') + ': ' + failureSummary)))`,
  );
  expect(found, `axe at ${page.url()}`).toEqual([]);
};

/** Part of the page: the labels of buttons that take more than one line, or more than their button. */
const BROKEN_LABELS = `
  [...document.querySelectorAll('.button')].filter((button) => {
    const lines = new Set();
    const texts = document.createTreeWalker(button, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const range = document.createRange();
      range.selectNodeContents(texts.currentNode);
      for (const { bottom, width } of range.getClientRects()) if (width > 0) lines.add(Math.round(bottom));
    }
    return lines.size > 1 || button.scrollWidth > button.clientWidth;
  }).map(({ textContent }) => textContent)
`;

/** Expects that the label of every button is in one line. */
export const expectWholeLabels = async (page: Page): Promise<void> => {
  expect(await page.evaluate<string[]>(BROKEN_LABELS), `labels at ${page.url()}`).toEqual([]);
};

/**
 * Part of the page: lays it out as for a language that is written from right to left, with all of its texts turned, and puts it back before anything else runs.
 * The turned texts are as long as they were, between the marks of Unicode that run letters from right to left.
 */
const RIGHT_TO_LEFT = `(() => {
  const root = document.documentElement;
  const texts = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) if (walk.currentNode.data.trim() !== '') texts.push([walk.currentNode, walk.currentNode.data]);
  const dir = root.dir;
  root.dir = 'rtl';
  for (const [node, data] of texts) node.data = '\\u202e' + data + '\\u202c';
  const beyond = [...document.querySelectorAll('.money, .button, .segments label, td, th, .tabs a, input, select, svg')]
    .filter((element) => { const { left, right, width } = element.getBoundingClientRect(); return width > 0 && (left < -0.5 || right > innerWidth + 0.5) && element.closest('.table-frame, .card-picture, .visually-hidden') === null; })
    .map((element) => element.tagName + ' ' + element.textContent);
  const wide = root.scrollWidth;
  const labels = ${BROKEN_LABELS};
  for (const [node, data] of texts) node.data = data;
  root.dir = dir;
  return { beyond, wide, labels };
})()`;

/** Expects that a screen fits its width, and every label its button, in a language that is written from right to left. */
const expectRightToLeft = async (page: Page, width: number): Promise<void> => {
  const found = await page.evaluate<{ beyond: string[]; wide: number; labels: string[] }>(RIGHT_TO_LEFT);
  expect({ ...found, wide: found.wide > width }, `from right to left at ${page.url()}`).toEqual({ beyond: [], wide: false, labels: [] });
};

/** Part of the page: the animations that come to an end by themselves and have not yet. */
const UNFINISHED = `document.getAnimations().filter(({ playState, effect }) => playState !== 'finished' && effect?.getComputedTiming().endTime !== Infinity)`;

/** Waits until fonts are there and nothing moves any more. An animation that another one replaces ends early: it looks again until there is none. */
const settle = async (page: Page): Promise<void> => {
  await page.evaluate(
    `(async () => { await document.fonts.ready; for (let moving; (moving = ${UNFINISHED}).length > 0; ) await Promise.allSettled(moving.map(({ finished }) => finished)); })()`,
  );
};

/** Waits until what a screen says in passing is gone, because it would cover a part of the picture. */
const untilQuiet = (page: Page): Promise<void> => page.locator('.toast').waitFor({ state: 'detached' });

const report = (line: string) => void process.stdout.write(`${line}\n`);

type Size = { width: number; height: number };

/** The height of the screen; that of the window if something is open above it. */
const HEIGHT = `document.querySelector('dialog[open], [role="dialog"]') === null ? document.documentElement.scrollHeight : innerHeight`;

/** Looks at the whole screen, in a window that is as high, in which what stands at its lower edge covers nothing. */
const inWholeWindow = async <T>(page: Page, { width, height }: Size, look: () => Promise<T>): Promise<T> => {
  await page.setViewportSize({ width, height: Math.max(height, await page.evaluate<number>(HEIGHT)) });
  await settle(page);
  const seen = await look();
  await page.setViewportSize({ width, height });
  return seen;
};

const takePicture = (page: Page, size: Size): Promise<Buffer> =>
  inWholeWindow(page, size, () => page.screenshot({ animations: 'disabled', caret: 'hide' }));

/**
 * Checks a screen on a phone and on a desk, in light and in dark colours, or in `npm test` in one of these looks: it fits the width and every label of a button is on one line, in the app also from right
 * to left, and axe finds nothing. With `SCREENS_DIR` set (`npm run screens`), takes its pictures into that directory; with
 * `SCREENS_KEPT` (`npm run compare-screens`), compares them with those that are kept there.
 * @param name of the pictures
 * @param app the folder of the pictures
 */
export const checkScreen = async (page: Page, name: string, app: 'app' | 'back-office' = 'app'): Promise<void> => {
  const before = page.viewportSize();
  const { SCREENS_DIR: screensDir, SCREENS_KEPT: keptDir } = processEnvironment();
  const looks = looksAt(name);
  for (const { device, size, colorScheme } of looks) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await settle(page);
    const width = await page.evaluate<number>('document.documentElement.scrollWidth');
    expect(width, `${name} is wider than a ${device}`).toBeLessThanOrEqual(size.width);
    await expectWholeLabels(page);
    // The back office is for operators, in English and German.
    if (app === 'app') await expectRightToLeft(page, size.width);
    const isSeenInLight = colorScheme === 'dark' && looks.length > 1;
    await inWholeWindow(page, size, () => expectAccessible(page, isSeenInLight ? COLOUR_RULES : LEVELS));
    if (screensDir === undefined && keptDir === undefined) continue;
    await untilQuiet(page);
    // Nothing looks as if somebody pointed at it.
    await page.mouse.move(0, 0);
    const file = join(app, `${name}-${device}-${colorScheme}.png`);
    if (screensDir !== undefined) await savePicture(resolve(ROOT, screensDir, file), await takePicture(page, size));
    if (keptDir === undefined) continue;
    await comparePicture(page, await withoutPassing(page, () => takePicture(page, size)), resolve(ROOT, keptDir, file), report);
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
  if (before !== null) await page.setViewportSize(before);
};
