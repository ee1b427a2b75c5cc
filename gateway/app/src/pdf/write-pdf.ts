import { inLatin } from './in-latin.ts';

/** Fonts that every reader of PDF has (ISO 32000-1, 9.6.2.2). Letters of `mono` are equally wide. */
const FONTS = { regular: 'Helvetica', bold: 'Helvetica-Bold', mono: 'Courier' } as const;

/** A text on a page: `x` and `y` of its beginning, or of its end with `align`, in points from the lower left corner. Only `mono` can be aligned to its end. */
export type Mark = Readonly<{ x: number; y: number; size: number; text: string; font: keyof typeof FONTS; align?: 'end' }>;

/** A4, in points. */
export const PAGE = { width: 595, height: 842 } as const;

/** How wide a letter of `mono` is, as a part of its size. */
const MONO_WIDTH = 0.6;

/** Letters of Windows-1252 that are not in Latin-1, with their bytes. */
const EXTRA = new Map(
  [...'€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ'].map((letter, index) => [letter, 0x80 + index] as const).filter(([letter]) => letter !== ' '),
);

/** Spaces that do not break, and the minus, in letters that the fonts have. */
const plain = (text: string): string => text.replaceAll(/[\u00a0\u2007\u2009\u202f]/g, ' ').replaceAll('\u2212', '-');

const byteOf = (letter: string): number | undefined => {
  const code = letter.codePointAt(0) ?? 0;
  return EXTRA.get(letter) ?? ((code >= 0x20 && code < 0x7f) || (code >= 0xa0 && code <= 0xff) ? code : undefined);
};

/** The bytes of a text in Windows-1252. What it lacks is written in Latin letters: a font with more is larger than the app, and card networks name merchants in Latin. */
const encode = (text: string): number[] =>
  [...inLatin(plain(text), (letter) => byteOf(letter) !== undefined)].flatMap((letter) => byteOf(letter) ?? []);

/** A literal string in ASCII (ISO 32000-1, 7.3.4.2). */
const literal = (text: string): string =>
  `(${encode(text)
    .map((byte) => (byte > 0x7e ? `\\${byte.toString(8)}` : String.fromCharCode(byte).replace(/[\\()]/, '\\$&')))
    .join('')})`;

const draw = ({ x, y, size, text, font, align }: Mark): string => {
  const start = align === 'end' ? x - encode(text).length * size * MONO_WIDTH : x;
  return `BT /${font} ${size} Tf ${start.toFixed(2)} ${y.toFixed(2)} Td ${literal(text)} Tj ET`;
};

/**
 * Writes a PDF (ISO 32000-1) of texts. All of it is ASCII, so that offsets of characters are those of bytes.
 * @param language BCP 47, for screen readers
 */
export const writePdf = ({ title, language }: { title: string; language: string }, pages: readonly (readonly Mark[])[]): string => {
  const fonts = Object.entries(FONTS).map(
    ([name, base]) => `/${name} << /Type /Font /Subtype /Type1 /BaseFont /${base} /Encoding /WinAnsiEncoding >>`,
  );
  const firstPage = 4;
  const kids = pages.map((_page, index) => `${firstPage + 2 * index} 0 R`);
  const objects = [
    `<< /Type /Catalog /Pages 2 0 R /Lang ${literal(language)} >>`,
    `<< /Type /Pages /Kids [${kids.join(' ')}] /Count ${pages.length} /MediaBox [0 0 ${PAGE.width} ${PAGE.height}] /Resources << /Font << ${fonts.join(' ')} >> >> >>`,
    `<< /Title ${literal(title)} >>`,
    ...pages.flatMap((marks, index) => {
      const content = marks.map(draw).join('\n');
      return [
        `<< /Type /Page /Parent 2 0 R /Contents ${firstPage + 2 * index + 1} 0 R >>`,
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      ];
    }),
  ];
  let file = '%PDF-1.7\n';
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const size = objects.length + 1;
  return `${file}xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}trailer\n<< /Size ${size} /Root 1 0 R /Info 3 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
};
