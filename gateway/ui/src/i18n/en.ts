import type { Message } from './message.ts';

/** English texts of the parts, which every page needs. */
export const uiEn = {
  'app.name': 'Florin',
  'app.skip': 'Skip to the content',
  'app.close': 'Close',
  'app.cancel': 'Cancel',
  'app.copied': 'Copied.',
  'app.retry': 'Try again',
  'app.more': 'Show more',
  'app.loading': 'Loading…',
  'app.not_found': 'There is nothing here',
  'app.not_found_hint': 'The address may be mistyped, or what it showed is gone.',
  'app.home': 'Go to the start',
  'app.language': 'Language',
  'app.theme': 'Appearance',
  'app.theme_system': 'As the device',
  'app.theme_light': 'Light',
  'app.theme_dark': 'Dark',

  'failure.title': 'That did not work',
  'failure.code': 'Code',
  'failure.request': 'Request',
  'failure.support': 'If you ask for help, name the code and the request.',
  'failure.write': 'Write to support',
  'failure.sign_in': 'Sign in again',

  'error.unknown': 'Something went wrong on our side. Try again in a moment.',
  'error.network': 'The server cannot be reached. Check your connection, then try again.',
  'error.validation': 'Some of what you entered does not fit.',
} as const satisfies Record<string, Message>;
