import { toSignable } from '@florin/evm/typed-messages';
import { merchantTextProblem } from '@florin/rpc/fields';
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
  'X Amountꓽ1.00 EUR',
  'X Amount\u0a83 1.00 EUR',
  'X Amount\u17c7 1.00 EUR',
  'X Amount\u1038 1.00 EUR',
  'X Amount\u1361 1.00 EUR',
  'X Card *\u200d*\u200d*\u200d* 0000',
  'X Card *\u200c*\ufe0f*\u200c* 0000',
  'X Card \u{1031f}\u{1031f}\u{1031f}\u{1031f} 0000',
  "Shop'' Amount ''1.00 EUR",
  'Shop’’ Amount ‘‘1.00 EUR',
  'Shop\u05f2 Amount \u05f21.00 EUR',
  'Shop˶ Amount ˶1.00 EUR',
  'Shop ⦅DE⦆',
  'Shop ⸨DE⸩',
  'Shop ﴾DE﴿',
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
    expect(readableName(spoof)).not.toMatch(
      /[:：ꓽ\u0a83\u17c7\u1038\u1361"“”″˶\u05f2＂（）()⦅⦆⸨⸩﴾﴿∗＊⁎\u{1031f}￼↵␊¶]|\u200c|\u200d|\ufe0f|\*[ *]*\*|['‘’]{2}/u,
    );
  });

  it.each(FRAMES)('%s has none either with marks between its characters, which belong to no letter or to another script', (spoof) => {
    for (const mark of ['\u0e31', '\u0301']) {
      const shown = readableName([...spoof].join(mark));
      expect(shown).not.toMatch(/["“”:]|\*[ *]*\*|['‘’]{2}/u);
      if (shown !== undefined) expect(readableName(shown)).toBe(shown);
    }
  });

  it('is one of more than two hundred', () => {
    expect(HOMOGLYPHS.length + FRAMES.length).toBeGreaterThan(200);
  });
});

/** Names that the contract rejects, because characters in them are not seen, end the line, or turn the direction of what follows: wallets write out one of these (U+202E) at most. */
const REJECTED = ['\u202a', '\u202b', '\u202d', '\u202e', '\u2066', '\u2067', '\u2068', '\u200e', '\u200f', '\u061c']
  .concat('\n', '\r', '\t', '\u0085', '\u2028', '\u2029', '\u200b', '\u2060', '\u3164', '\u00ad', '\u{e0041}')
  .map((character) => `Shop${character}RUE 00.1 :tnuomA`);

it.each(REJECTED)('%j is no name of a merchant', (spoof) => {
  expect(merchantTextProblem(spoof)).toBeDefined();
});

/** Names from right to left, with numbers and marks that take the direction of what stands beside them. */
const RIGHT_TO_LEFT = ['مقهى 1.00', 'קפה 1.00 EUR', '1.00 מחיר', '٩٩ مقهى', 'קפה [1.00]', '** קפה', 'Café קפה', '-1.00 مقهى-'];

const toWords = (name: string): string => name.replace(/([A-Z])/g, ' $1').trim();
const rowsOf = (members: object, show: (name: string, value: string) => string): string =>
  Object.entries(members)
    .map(([name, value]) => show(name, String(value)))
    .join('\n');
/** The members that the type of the message names. */
const namedIn = ({ types, primaryType, message }: ReturnType<typeof toSignable>) =>
  Object.fromEntries(types[primaryType].map(({ name }) => [name, String(message[name])]));

/** How three wallets show typed data, by their sources as of these commits. None of them cuts a text. */
const WALLETS: Readonly<Record<string, (data: ReturnType<typeof toSignable>) => string>> = {
  // github.com/RabbyHub/Rabby@91404b18 src/ui/views/Approval/components, SignTypedData.tsx and SignTypedDataExplain/parseSignTypedDataMessage.ts: the named members as JSON, with four spaces.
  Rabby: (data) => JSON.stringify(namedIn(data), null, 4),
  // github.com/floating/frame@fb7c5506 resources/Components/SimpleTypedData/index.js, app/tray/Account/Requests/style/index.styl: domain and all members, whose names become words, in elements in
  // which HTML makes one line of several.
  Frame: ({ domain, message }) =>
    [domain, message]
      .map((members) => rowsOf(members, (name, value) => `${toWords(name)}\n${value.replace(/[ \t\n\f\r]+/g, ' ')}`))
      .join('\n'),
  // github.com/MetaMask/metamask-extension@035f5c8d ui/pages/confirmations/components/confirm/row/dataTree.tsx, @0003a3ed ui/helpers/utils/util.js and @09efcf08
  // ui/components/app/confirm/info/row/text.tsx: the named members, each with a capital and a colon; one override of direction is written out, lines are kept.
  MetaMask: (data) =>
    rowsOf(namedIn(data), (name, value) => `${name[0]?.toUpperCase()}${name.slice(1)}:\n${value.replaceAll('\u202e', '\\u202E')}`),
};

/** The beginnings of the text's facts and of the rows around it, and how each wallet shows the end of a line. */
const MARKERS = ['Amount:', 'Card: ****', 'Merchant:', 'Merchant ID:', 'Challenge:', 'Expires:'];
const LINE_ENDS: Readonly<Record<string, RegExp>> = { Rabby: /\\n|\n/g, Frame: /\n/g, MetaMask: /\n/g };

const RENDERINGS = Object.entries(WALLETS).flatMap(([wallet, render]) =>
  [false, true].map((quoted) => [wallet, quoted ? 'in quotation marks' : 'without quotation marks', render, quoted] as const),
);

describe.each(RENDERINGS)('in the rendering of %s, %s', (wallet, _form, render, quoted) => {
  const shownOf = (displayName: string): string => {
    const authorization = authorizationText(
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
    );
    return render(toSignable({ domainName: 'Florin 3DS', domainVersion: '1', chainId: 1, authorization, nonce: '7' }));
  };
  const honest = shownOf('Bookshop');
  const [before = '', after = ''] = honest.split('Bookshop');
  const count = (text: string, part: RegExp): number => text.match(part)?.length ?? 0;

  it.each([...HOMOGLYPHS, ...FRAMES, ...RIGHT_TO_LEFT])('%s is one fact among the others', (spoof) => {
    const shown = shownOf(readableName(spoof) ?? 'not named');
    for (const marker of MARKERS) expect([marker, shown.split(marker).length]).toEqual([marker, 2]);
    const end = LINE_ENDS[wallet] ?? expect.fail('its line ends are not known');
    expect(count(shown, end)).toBe(count(honest, end));
    // Nothing but the name differs: the text before and after it is that of an honest merchant.
    expect(shown.startsWith(before) && shown.endsWith(after)).toBe(true);
    expect(shown.slice(before.length, shown.length - after.length)).not.toMatch(/["\\\n:]/);
    // So the name ends at the mark that the platform has set.
    if (quoted) expect(before).toMatch(/\\?"$/);
  });

  it('a name from right to left turns nothing but itself, because left-to-right letters or ends of lines enclose it (UAX #9)', () => {
    expect(before).toMatch(/\p{Script=Latin}[^\p{L}\p{N}]*$/u);
    expect(after).toMatch(/^[^\p{L}\p{N}]*\p{Script=Latin}/u);
    for (const name of RIGHT_TO_LEFT) expect(merchantTextProblem(readableName(name) ?? '')).toBeUndefined();
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
    [`Sh${'\u0301\u0301\u200d'.repeat(13)}op`, 'Sh\u0301\u0301op'],
    ['دراگ\u200cاستور', 'دراگ\u200cاستور'],
    ['क्\u200dष', 'क्\u200dष'],
    ['👩\u200d🍳 Kitchen ❤\ufe0f', '👩\u200d🍳 Kitchen ❤\ufe0f'],
    ['နားဆိုင်', 'နားဆိုင်'],
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
