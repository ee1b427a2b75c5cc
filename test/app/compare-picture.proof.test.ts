import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { comparePicture, withoutPassing } from './compare-picture.ts';

const screen = (changes = '') =>
  `<style>body { background: white; color: black; } .button { background: green; padding: 8px; } ${changes}</style>
   <p>Card ending in ${String(Math.random()).slice(2, 6)}, of <time>${new Date().toISOString()}</time></p>
   <p>${randomUUID()} 0x${randomUUID().slice(0, 8)}…${randomUUID().slice(0, 4)}</p><span class="money">€450.01</span> <a class="button">Pay</a>`;

it('keeps a picture where there is none, accepts the same screen with other ids and times, and fails on another look', async ({ skip }) => {
  const browser = await openBrowser((line) => void process.stdout.write(`${line}\n`));
  if (browser === undefined) return skip('Chromium is not available');
  const directory = await mkdtemp(join(tmpdir(), 'florin-pictures-'));
  onTestFinished(async () => {
    await browser.close();
    await rm(directory, { recursive: true, force: true });
  });
  const page = await browser.newPage({ viewport: { width: 300, height: 200 } });
  const lines: string[] = [];
  const path = join(directory, 'app/screen.png');
  const compare = async (html: string): Promise<void> => {
    await page.setContent(html);
    const before = await page.textContent('body');
    const picture = await withoutPassing(page, () => page.screenshot());
    expect(await page.textContent('body')).toBe(before);
    await comparePicture(page, picture, path, (line) => void lines.push(line));
  };
  await compare(screen());
  expect(lines).toEqual([`Pictures: there was none of ${path}; it is kept now`]);
  for (let round = 0; round < 5; round += 1) await compare(screen());
  await expect(compare(screen('.button { background: #007000; }'))).rejects.toThrow('pixels from');
  await expect(compare(screen('.button { padding: 9px; }'))).rejects.toThrow('pixels from');
  await expect(compare(screen().replace('€450.01', '€450.02'))).rejects.toThrow('pixels from');
  expect(await readdir(join(directory, 'app'))).toEqual(['screen.now.png', 'screen.png']);
  await compare(screen());
  expect(await readdir(join(directory, 'app'))).toEqual(['screen.png']);
  expect(lines).toHaveLength(1);
});
