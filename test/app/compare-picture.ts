import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Text that differs from run to run: ids, addresses, numbers but for amounts of money, and months. */
const PASSING = String.raw`/0x[0-9a-f]+(?:…[0-9a-f]+)?|\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b[0-9a-f]{8,}\b|\d+|\b(?:January|February|March|April|May|June|July|August|September|October|November|December|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept|Oct|Nov|Dec)\b/gi`;

/** Part of the page: puts something that stays in the place of what differs from run to run, and keeps what was there. */
const HOLD = `(() => {
  const undo = [];
  const still = (text) => text.replace(${PASSING}, '0');
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walk.nextNode()) texts.push(walk.currentNode);
  for (const node of texts) {
    const was = node.data;
    const now = node.parentElement?.closest('time') ? 'then' : node.parentElement?.closest('.money') ? was : still(was);
    if (now !== was) { node.data = now; undo.push(() => { node.data = was; }); }
  }
  for (const field of document.querySelectorAll('input')) {
    const was = field.value;
    if (/@/.test(was)) { field.value = still(was); undo.push(() => { field.value = was; }); }
  }
  for (const part of document.querySelectorAll('.qr-code, .countdown progress')) {
    part.style.visibility = 'hidden';
    undo.push(() => { part.style.visibility = ''; });
  }
  window.letGo = () => { for (const one of undo) one(); };
})()`;

/** Writes a picture, with the directories that it lies in. */
export const savePicture = async (path: string, picture: Buffer): Promise<void> => {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, picture);
};

/** Takes a picture while what differs from run to run stands still. */
export const withoutPassing = async <T>(page: Page, take: () => Promise<T>): Promise<T> => {
  await page.evaluate(HOLD);
  try {
    return await take();
  } finally {
    await page.evaluate('window.letGo()');
  }
};

/** Part of the page: the number of pixels in which two pictures differ by more than rounding; undefined for pictures of other sizes. */
const DIFFERENCE = `async ([one, other]) => {
  const pixelsOf = async (picture) => {
    const image = await createImageBitmap(new Blob([Uint8Array.from(atob(picture), (letter) => letter.charCodeAt(0))], { type: 'image/png' }));
    const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, image.width, image.height);
  };
  const [a, b] = [await pixelsOf(one), await pixelsOf(other)];
  if (a.width !== b.width || a.height !== b.height) return undefined;
  let count = 0;
  for (let at = 0; at < a.data.length; at += 4)
    if ([0, 1, 2].some((channel) => Math.abs(a.data[at + channel] - b.data[at + channel]) > 8)) count += 1;
  return count;
}`;

/** So many pixels may differ: an edge of a letter that the browser has drawn in another place of its cache. */
const TOLERATED = 20;

/**
 * Compares a picture with the one of the same name that was kept, and expects no difference; the picture that differs stays beside it. Where none was kept, keeps it
 * and says so.
 * @param page that compares them
 * @param path of the kept picture
 */
export const comparePicture = async (page: Page, picture: Buffer, path: string, report: (line: string) => void): Promise<void> => {
  const kept = await readFile(path).catch(() => undefined);
  if (kept === undefined) {
    await savePicture(path, picture);
    return report(`Pictures: there was none of ${path}; it is kept now`);
  }
  const now = path.replace(/\.png$/, '.now.png');
  const difference = await page.evaluate<number | undefined>(
    `(${DIFFERENCE})(${JSON.stringify([kept, picture].map((one) => one.toString('base64')))})`,
  );
  if (difference !== undefined && difference <= TOLERATED) return rm(now, { force: true });
  await writeFile(now, picture);
  expect.fail(`${now} ${difference === undefined ? 'has another size than' : `differs in ${difference} pixels from`} ${path}`);
};
