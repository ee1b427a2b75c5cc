import { expect, test } from 'vitest';
import { inLatin } from './in-latin.ts';

/** As of a font with the letters of Latin-1. */
const has = (letter: string): boolean => /^[\u0020-\u007e\u00a0-\u00ff]$/.test(letter);

test.each([
  ['Café Zoë, Straße 5', 'Café Zoë, Straße 5'],
  ['Łódź, Đakovo, Şişli, Kadıköy, Ħamrun', 'Lódz, Dakovo, Sisli, Kadiköy, Hamrun'],
  ['Cafe\u0301', 'Café'],
  ['Ελληνικό Βιβλιοπωλείο του Ούζου', 'Elliniko Vivliopoleio tou Ouzou'],
  ['ΤΟΥΡΙΣΜΟΣ ΘΕΡΟΣ ΨΩΜΙ', 'TOURISMOS THEROS PSOMI'],
  ['Жук и Щука', 'Zhuk i Shchuka'],
  ['ЖУК № 5', 'ZHUK No 5'],
  ['Їжак, Йорк, Ћуприја, Љубљана', 'Izhak, Iork, Cuprija, Ljubljana'],
  ['Ｂｏｏｋｓ ﬁne', 'Books fine'],
  ['東京', '??'],
  ['GROẞ', 'GROSS'],
])('%s: %s', (text, latin) => {
  expect(inLatin(text, has)).toBe(latin);
});
