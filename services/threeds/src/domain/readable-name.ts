/** Scripts that share words in the orthographies of Japanese, Chinese and Korean, also with Latin letters (UTS #39, section 5.1, highly restrictive). */
const TOGETHER = /[\p{scx=Latin}\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}]/u;

/** Other scripts of merchants' names. A letter of a script that is not listed here stands alone. */
const SCRIPTS = [
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Arabic}/u,
  /\p{Script=Hebrew}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Georgian}/u,
  /\p{Script=Thai}/u,
  /\p{Script=Lao}/u,
  /\p{Script=Khmer}/u,
  /\p{Script=Myanmar}/u,
  /\p{Script=Ethiopic}/u,
  /\p{Script=Devanagari}/u,
  /\p{Script=Bengali}/u,
  /\p{Script=Gujarati}/u,
  /\p{Script=Gurmukhi}/u,
  /\p{Script=Tamil}/u,
  /\p{Script=Telugu}/u,
  /\p{Script=Kannada}/u,
  /\p{Script=Malayalam}/u,
  /\p{Script=Sinhala}/u,
  TOGETHER,
];

/** Scripts whose letters take other forms beside a joiner. */
const SHAPED = ['Arabic', 'Devanagari', 'Bengali', 'Gujarati', 'Gurmukhi', 'Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Khmer']
  .concat('Myanmar')
  .map((script) => `\\p{Script=${script}}`)
  .join('');

/**
 * Joiners and selectors of variants, and in the group those that have a use: between letters that they shape, and in emoji. Anywhere else they are not seen, and part what belongs
 * together, such as the marks of a letter or a row of asterisks.
 */
const INVISIBLE = new RegExp(
  `((?<=[${SHAPED}])[\\u200c\\u200d](?=\\p{L})(?=[${SHAPED}])|(?<=\\p{Extended_Pictographic}[\\ufe0f\\u{1f3fb}-\\u{1f3ff}]?)\\u200d(?=\\p{Extended_Pictographic})|(?<=\\p{Extended_Pictographic})[\\ufe0e\\ufe0f])|[\\u200c\\u200d\\ufe00-\\ufe0f]`,
  'gu',
);

const scriptOf = (letter: string): number => SCRIPTS.findIndex((script) => script.test(letter));

/** Latin-looking forms of ASCII characters, for example fullwidth and mathematical ones, become ASCII (NFKC). */
const toAscii = (character: string): string => {
  const plain = character.normalize('NFKC');
  return /^[\x20-\x7e]+$/.test(plain) ? plain : character;
};

/** Characters that look like those which frame the facts of a signed text, and what stands for them. */
const FRAME: readonly (readonly [RegExp, string])[] = [
  [/[:\u0a83\u1361\ua4fd\u02d0\u02f8\u0589\u05c3\u0703\u0704\u0903\u16ec\u1803\u1809\u205a\u2236\u2982\ua789\ufe13\ufe30\ufe55]/gu, ' '],
  [
    /["\u02f6\u05f2\u02ba\u02ee\u02dd\u05f4\u1cd3\u201c-\u201f\u2033\u2036\u2057\u2760\u275d\u275e\u300c-\u300f\u301d-\u301f\u00ab\u00bb\u3003]/gu,
    "'",
  ],
  // Two apostrophes look like one quotation mark.
  [/['\u2018\u2019\u02bc\u2032`\u00b4]{2,}/gu, "'"],
  [/[\u{1031f}\u066d\u204e\u2217\u2731\u26b9\u2055\u2736\u204d\u2743\u229b\ufe61]/gu, '*'],
  [/\*(?:[ *]*\*)+/gu, '*'],
  [/[([{\u2985\u2e28\ufd3e\ufd3f\u207d\u208d\u2768\u276a\u2772\u27ee\u3014\u3016\u3018\ufe35\ufe59\ufe5d]/gu, '['],
  [/[)\]}\u2986\u2e29\u207e\u208e\u2769\u276b\u2773\u27ef\u3015\u3017\u3019\ufe36\ufe5a\ufe5e]/gu, ']'],
  // JSON, in which some wallets show a text, writes a line break with one.
  [/[\\\u2216\u244a\u27cd\u29f5\u29f9\u{1d20f}\u4e36]/gu, '/'],
  [/[\ufff9-\ufffd\u2028\u2029\u2424\u21b5\u23ce\u00b6\u240a\u2043]/gu, ' '],
];

/** EMV 3DS, merchantName. */
const MAX_CHARACTERS = 40;

/** More marks than a letter of any script needs cover the lines around it. */
const STACKED_MARKS = /(\p{M}{2})\p{M}+/gu;

/** Marks at the beginning, after a space or a sign of punctuation belong to no letter, and part or cover what the frame is made of. */
const PLACE_WITHOUT_MARKS = /(?:^|[\p{P}\p{Z}])$/u;

/** Reports whether a mark belongs to letters of a script: many look like the frame's characters after a letter of another one. */
const fits = (mark: string, script: number | undefined): boolean =>
  /\p{Script=Inherited}/u.test(mark) || (script !== undefined && script === SCRIPTS.slice(0, -1).findIndex((one) => one.test(mark)));

/** Parts a word where letters of different scripts meet, so that "Аmazon" with a Cyrillic letter shows what it is: "А mazon". Marks of another script are left out. */
const partScripts = (text: string): string => {
  let last: number | undefined;
  let parted = '';
  for (const character of text) {
    if (/\p{L}/u.test(character)) {
      const script = scriptOf(character);
      if (last !== undefined && (script !== last || script < 0)) parted += ' ';
      last = script;
    } else if (/\p{M}/u.test(character)) {
      if (!fits(character, last) || PLACE_WITHOUT_MARKS.test(parted)) continue;
    } else if (!/[\p{N}\p{Cf}]/u.test(character)) {
      last = undefined;
    }
    parted += character;
  }
  return parted;
};

const withoutImitations = (name: string): string => {
  let text = name.normalize('NFC');
  for (const [imitation, stand] of FRAME) text = text.replace(imitation, stand);
  return partScripts(text.replace(STACKED_MARKS, '$1')).replace(/\s+/gu, ' ').trim();
};

/**
 * A merchant's name as people read and sign it. The merchant chooses its name, and wallets show a signed text in many ways, also on one line: so
 * it has one script per word, at most two marks per letter, and no character that imitates the frame of the text ("Amount: …", "Card: ****"). A
 * name in one foreign script that looks like another name is not recognized: the acquirer's id tells them apart.
 * @returns undefined if nothing is left of it
 */
export const readableName = (name: string): string | undefined => {
  let text = [...name.replace(INVISIBLE, '$1')].map(toAscii).join('');
  // Again until nothing changes: a mark that is left out may have parted two asterisks.
  for (let before: string | undefined; before !== text; ) {
    before = text;
    text = withoutImitations(text);
  }
  text = [...text].slice(0, MAX_CHARACTERS).join('').trim();
  return /[\p{L}\p{N}\p{S}]/u.test(text) ? text : undefined;
};
