import { describe, expect, it } from 'vitest';
import { authorizationText } from './authorization-text.ts';
import { readableName } from './readable-name.ts';

/** Letters of other scripts that look like Latin ones (Unicode's confusables). */
const LOOKALIKES: Readonly<Record<string, string>> = {
  a: 'аα',
  b: 'Ьβ',
  c: 'сϲ',
  d: 'ԁ',
  e: 'еҽ',
  g: 'ց',
  h: 'һհ',
  i: 'іι',
  j: 'јϳ',
  k: 'κк',
  l: 'ӏ',
  m: 'м',
  n: 'ոη',
  o: 'оοօ',
  p: 'рρ',
  q: 'ԛգ',
  r: 'г',
  s: 'ѕ',
  t: 'тτ',
  u: 'սυ',
  v: 'ѵν',
  w: 'ԝա',
  x: 'хχ',
  y: 'уү',
  z: 'ʐᴢ',
};
const BRANDS = ['amazon', 'paypal', 'google', 'netflix', 'spotify', 'walmart', 'coinbase', 'ebay', 'apple', 'steam'];

/** Every brand with one letter, and with all of a kind, exchanged. */
const HOMOGLYPHS = BRANDS.flatMap((brand) =>
  [...new Set(brand)].flatMap((letter) =>
    [...(LOOKALIKES[letter] ?? '')].flatMap((lookalike) =>
      /\p{Script=Latin}/u.test(lookalike) ? [] : [brand.replace(letter, lookalike), brand.replaceAll(letter, lookalike)],
    ),
  ),
);

const FRAMES = [
  'Shop Amount: 1.00 EUR Card: **** 0000',
  'Shop Amount： 1.00 EUR',
  'Shop Amount∶ 1.00 EUR',
  'Shop Amount︰ 1.00 EUR',
  'Shop Amount꞉ 1.00 EUR',
  'Shop Amountː 1.00 EUR',
  'Shop Amount׃ 1.00 EUR',
  'Shop Amount։ 1.00 EUR',
  'Shop Card ∗∗∗∗ 0000',
  'Shop Card ＊＊＊＊ 0000',
  'Shop Card * * * * 0000',
  'Shop Card ⁎⁎⁎⁎ 0000',
  'Shop" (DE) Amount "1.00 EUR',
  'Shop” Amount “1.00 EUR',
  'Shop″ Amount ″1.00 EUR',
  'Shop＂ Amount ＂1.00 EUR',
  'Shop (DE)',
  'Shop（DE）',
  'Shop ❨DE❩',
  'Shop ⁽DE⁾',
  'Shop￼Amount',
  'Shop↵Amount: 1.00',
  'Shop␊Amount: 1.00',
  'Shop¶Amount: 1.00',
  'Shop\\nAmount 1.00 EUR',
  'Shop∖nAmount 1.00 EUR',
  'Shop⧵nCard 0000',
  'Shop＼nCard 0000',
  'Shop﹨nExpires never',
  '𝐀𝐦𝐨𝐮𝐧𝐭: 1.00 EUR',
  'Ｅxpires： never',
];

const wordsOf = (text: string): string[] => text.split(/[^\p{L}\p{M}\p{N}]+/u);
const LATIN = /\p{Script=Latin}/u;
const OTHER = /\p{Script=Cyrillic}|\p{Script=Greek}|\p{Script=Armenian}/u;

describe('a name that imitates another one', () => {
  it.each(HOMOGLYPHS)('%s has one script per word, and shows that it is another one', (spoof) => {
    const shown = readableName(spoof) ?? '';
    expect(BRANDS).not.toContain(shown);
    for (const word of wordsOf(shown)) expect(LATIN.test(word) && OTHER.test(word)).toBe(false);
    expect(shown.length).toBeGreaterThan(spoof.length);
  });

  it.each(FRAMES)('%s has no character of the frame', (spoof) => {
    expect(readableName(spoof)).not.toMatch(/[:："“”″＂（）()∗＊⁎￼↵␊¶]|\*[ *]*\*/u);
  });

  it('is one of more than two hundred', () => {
    expect(HOMOGLYPHS.length + FRAMES.length).toBeGreaterThan(200);
  });
});

/** How three wallets show a text of typed data, by their sources. */
const WALLETS: Readonly<Record<string, (text: string) => string>> = {
  // Rabby, SignTypedData.tsx: the message as JSON.
  Rabby: (authorization) => JSON.stringify({ authorization, nonce: '0x1' }, null, 4),
  // Frame, SimpleTypedData: the text of an element, in which HTML makes one line of several.
  Frame: (text) => text.replaceAll(/\s+/g, ' '),
  // MetaMask, sanitizeMessage: overrides of direction are written out, lines are kept.
  MetaMask: (text) => text.replaceAll('\u202e', '\\u202E'),
};

/** The beginnings of the text's facts, and how each wallet shows the end of a line. */
const MARKERS = ['Amount:', 'Card: ****', 'Merchant:', 'Merchant ID:', 'Challenge:', 'Expires:'];
const LINE_ENDS: Readonly<Record<string, RegExp>> = { Rabby: /\\n/g, MetaMask: /\n/g };

const RENDERINGS = Object.entries(WALLETS).flatMap(([wallet, render]) =>
  [false, true].map((quoted) => [wallet, quoted ? 'in quotation marks' : 'without quotation marks', render, quoted] as const),
);

describe.each(RENDERINGS)('in the rendering of %s, %s', (wallet, _form, render, quoted) => {
  const textOf = (displayName: string): string =>
    render(
      authorizationText(
        {
          id: 'a3f1',
          amount: '4999',
          currency: 'EUR',
          decimals: 2,
          last4: '1234',
          merchant: { displayName, id: '4900012' },
          expiresAt: new Date(0),
        },
        'approve',
        { quoted },
      ),
    );
  const honest = textOf('Bookshop');
  const count = (text: string, part: RegExp): number => text.match(part)?.length ?? 0;

  it.each([...HOMOGLYPHS, ...FRAMES])('%s is one fact among the others', (spoof) => {
    const shown = textOf(readableName(spoof) ?? 'not named');
    for (const marker of MARKERS) expect([marker, shown.split(marker).length]).toEqual([marker, 2]);
    const end = LINE_ENDS[wallet];
    if (end !== undefined) expect(count(shown, end)).toBe(count(honest, end));
    // Nothing but the name differs: the text before and after it is that of an honest merchant.
    const [before = '', after = ''] = honest.split('Bookshop');
    expect(shown.startsWith(before) && shown.endsWith(after)).toBe(true);
    expect(shown.slice(before.length, shown.length - after.length)).not.toMatch(/["\\\n:]/);
    // So the name ends at the mark that the platform has set.
    if (quoted) expect(before).toMatch(/\\?"$/);
  });
});

describe('a readable name', () => {
  it.each([
    ['Bookshop', 'Bookshop'],
    ['PAYPAL *SHOP', 'PAYPAL *SHOP'],
    ['Café Müller & Söhne 24/7', 'Café Müller & Söhne 24/7'],
    ['Кафе Пушкин', 'Кафе Пушкин'],
    ['СберMarket', 'Сбер Market'],
    ['セブン-イレブン 7号店', 'セブン-イレブン 7号店'],
    ['LINEペイ', 'LINEペイ'],
    ['카카오 Pay', '카카오 Pay'],
    ['مقهى القاهرة', 'مقهى القاهرة'],
    ['ร้านกาแฟ', 'ร้านกาแฟ'],
    ['हिन्दी दुकान', 'हिन्दी दुकान'],
    ['Phở Việt', 'Phở Việt'],
    ['Аmаzоn', 'А m а z о n'],
    [`Sh${'\u0301'.repeat(38)}op`, 'Sh\u0301\u0301op'],
    ['１２ Ｓhop', '12 Shop'],
    ['Shop (Berlin)', 'Shop [Berlin]'],
    ['4900012', '4900012'],
    ['🍕', '🍕'],
    ['::', undefined],
    ['****', undefined],
  ])('of %j is %j', (name, readable) => {
    expect(readableName(name)).toBe(readable);
    if (readable !== undefined) expect(readableName(readable)).toBe(readable);
  });
});
