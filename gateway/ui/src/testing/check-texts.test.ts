import { expect, test } from 'vitest';
import { emptyMessages, unequalMessages, unusedMessages } from './check-texts.ts';

test('finds messages that one language lacks, or that have other values there', () => {
  const en = { 'a.same': 'for {name}', 'a.values': '{one}', 'a.plural': { one: '{count} day', other: '{count} days' }, 'a.english': 'x' };
  const de = {
    'a.same': '{name}, ja, {name}',
    'a.values': '{two}',
    'a.plural': { one: 'ein Tag', other: '{count} Tage' },
    'a.german': 'y',
  };
  expect(unequalMessages(en, de)).toEqual(['a.values', 'a.english', 'a.german']);
});

test('finds messages that say nothing', () => {
  const texts = { 'a.good': 'yes', 'a.empty': '', 'a.space': ' x', 'a.plural': { one: 'x', other: '' }, 'a.key': 'a.key' };
  expect(emptyMessages(texts)).toEqual(['a.empty', 'a.space', 'a.plural', 'a.key']);
});

test('finds messages that no screen uses', () => {
  const texts = { 'a.whole': 'x', 'b.status_on': 'x', 'c.made_of': 'x', 'a.unused': 'x' };
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the source of a screen.
  expect(unusedMessages(texts, ["t('a.whole')", "word('b.status_', status)", 't(`c.${what}`)'])).toEqual(['a.unused']);
});
