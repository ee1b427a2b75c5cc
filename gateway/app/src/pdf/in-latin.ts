/**
 * Letters without a counterpart in Latin, and those of Latin that Unicode does not take apart: Cyrillic as in passports (ICAO 9303-3, 6), Greek by ISO 843.
 * Letters with marks follow those without.
 */
const LETTERS: Readonly<Record<string, string>> = {
  ...{ ł: 'l', đ: 'd', ħ: 'h', ı: 'i', ŋ: 'n', ŧ: 't', ə: 'e', ẞ: 'ss' },
  ...{ α: 'a', β: 'v', γ: 'g', δ: 'd', ε: 'e', ζ: 'z', η: 'i', θ: 'th', ι: 'i', κ: 'k', λ: 'l', μ: 'm', ν: 'n', ξ: 'x', ο: 'o', π: 'p' },
  ...{ ρ: 'r', σ: 's', ς: 's', τ: 't', υ: 'y', φ: 'f', χ: 'ch', ψ: 'ps', ω: 'o' },
  ...{ а: 'a', б: 'b', в: 'v', г: 'g', д: 'd', е: 'e', ж: 'zh', з: 'z', и: 'i', к: 'k', л: 'l', м: 'm', н: 'n', о: 'o', п: 'p', р: 'r' },
  ...{ с: 's', т: 't', у: 'u', ф: 'f', х: 'kh', ц: 'ts', ч: 'ch', ш: 'sh', щ: 'shch', ъ: 'ie', ы: 'y', ь: '', э: 'e', ю: 'iu', я: 'ia' },
  ...{ є: 'ie', і: 'i', ґ: 'g', ђ: 'd', ј: 'j', љ: 'lj', њ: 'nj', ћ: 'c', џ: 'dz', ѕ: 'dz' },
};

/** Latin letters for one, in its case; several begin with a capital only, but in a text of capitals. */
const latinOf = (letter: string, isAllCapitals: boolean): string | undefined => {
  const latin = LETTERS[letter] ?? LETTERS[letter.toLowerCase()];
  if (latin === undefined || letter === letter.toLowerCase()) return latin;
  return isAllCapitals ? latin.toUpperCase() : `${latin.charAt(0).toUpperCase()}${latin.slice(1)}`;
};

/**
 * Writes what a font lacks in letters that it has: without marks, as compatible ones, or in Latin.
 * @param has true for a letter of the font; all of ASCII are
 * @returns question marks for other scripts
 */
export const inLatin = (text: string, has: (letter: string) => boolean): string => {
  const isAllCapitals = text === text.toUpperCase();
  return [...text.normalize('NFC').replaceAll(/(?<=ο)[υύ]/giu, (letter) => (letter === letter.toLowerCase() ? 'u' : 'U'))]
    .map((letter) =>
      has(letter)
        ? letter
        : [...letter.normalize('NFKD').replaceAll(/\p{M}/gu, '')]
            .map((one) => (has(one) ? one : (latinOf(one, isAllCapitals) ?? '?')))
            .join(''),
    )
    .join('');
};
