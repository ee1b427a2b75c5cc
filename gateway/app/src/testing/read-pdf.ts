/** Reads a literal string of a PDF (ISO 32000-1, 7.3.4.2) in Windows-1252. */
const readLiteral = (literal: string): string => {
  const bytes = literal.replaceAll(/\\(?:([0-7]{3})|(.))/g, (_all, octal: string | undefined, letter: string) =>
    octal === undefined ? letter : String.fromCharCode(Number.parseInt(octal, 8)),
  );
  return new TextDecoder('windows-1252').decode(Uint8Array.from(bytes, (letter) => letter.charCodeAt(0)));
};

/**
 * Reads the texts of a PDF whose pages are not compressed, page by page, through its table of offsets.
 * @throws Error when the table leads to something else than an object, or a stream is not as long as it says
 */
export const readPdf = (file: string): string[][] => {
  const table = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(file)?.[1]);
  if (!file.startsWith('%PDF-1.') || file.slice(table, table + 5) !== 'xref\n') throw new Error('it has no table of offsets');
  const offsets = [...file.slice(table).matchAll(/^(\d{10}) 00000 n $/gm)].map(([, offset]) => Number(offset));
  const objects = offsets.map((offset, index) => {
    const start = `${index + 1} 0 obj\n`;
    if (!file.startsWith(start, offset)) throw new Error(`object ${index + 1} is not at ${offset}`);
    return file.slice(offset + start.length, file.indexOf('\nendobj\n', offset));
  });
  const [, pages = ''] = objects;
  const kids = [...(/\/Kids \[([^\]]*)\]/.exec(pages)?.[1] ?? '').matchAll(/(\d+) 0 R/g)].map(([, number]) => Number(number));
  return kids.map((number) => {
    const content = objects[Number(/\/Contents (\d+) 0 R/.exec(objects[number - 1] ?? '')?.[1]) - 1] ?? '';
    const [, length, stream = ''] = /^<< \/Length (\d+) >>\nstream\n(.*)\nendstream$/s.exec(content) ?? [];
    if (stream.length !== Number(length)) throw new Error(`the stream of page ${number} is not as long as it says`);
    return [...stream.matchAll(/\(((?:[^\\()]|\\.)*)\) Tj/g)].map(([, literal = '']) => readLiteral(literal));
  });
};
