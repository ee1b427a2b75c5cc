import { expect, test } from 'vitest';

const SHEETS = import.meta.glob<string>(['./*.css', '../../../app/src/styles/*.css', '../../../back-office/pages/src/styles/*.css'], {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** Properties and values that name a side, which stays where it is when letters run from right to left. Corners and shorthands of four sides may differ. */
const SIDE =
  /^\s*(?:(?:margin|padding|border|scroll-margin|scroll-padding)-(?:left|right)\b|(?:left|right)\s*:|(?:float|clear|text-align)\s*:\s*(?:left|right)\b|border-(?:top|bottom)-(?:left|right)-radius)/;

/** `top right bottom left` with different sides; each is a word, or a function with spaces. */
const PART = '((?:[^\\s(]|\\((?:[^()]|\\([^()]*\\))*\\))+)';
const UNEVEN = new RegExp(`^\\s*(?:margin|padding|inset)\\s*:\\s*${PART} ${PART} ${PART} ${PART};$`);

const namesSide = (line: string): boolean => {
  const [, , right, , left] = UNEVEN.exec(line) ?? [];
  return SIDE.test(line) || right !== left;
};

test.each(Object.entries(SHEETS))('%s names the start and the end of a line, not its sides', (_name, sheet) => {
  expect(sheet.split('\n').filter(namesSide)).toEqual([]);
});

test.each([
  '  left: 0;',
  '  padding-right: 1rem;',
  '  text-align: right;',
  '  inset: 0 0 0 auto;',
  '  margin: 0 calc(-1 * var(--space-3) - 1px) 0 0;',
  '  border-left: 0;',
])('%j names a side', (line) => {
  expect(namesSide(line)).toBe(true);
});
