import type { uiEn } from './en.ts';
import type { Translation } from './message.ts';

/** German texts of the parts. */
export const uiDe: Translation<typeof uiEn> = {
  'app.name': 'Florin',
  'app.skip': 'Zum Inhalt springen',
  'app.close': 'Schließen',
  'app.cancel': 'Abbrechen',
  'app.copied': 'Kopiert.',
  'app.retry': 'Noch einmal versuchen',
  'app.more': 'Mehr anzeigen',
  'app.loading': 'Wird geladen …',
  'app.not_found': 'Hier ist nichts',
  'app.not_found_hint': 'Vielleicht ist die Adresse vertippt, oder was sie zeigte, gibt es nicht mehr.',
  'app.home': 'Zum Anfang',
  'app.language': 'Sprache',
  'app.theme': 'Darstellung',
  'app.theme_system': 'Wie das Gerät',
  'app.theme_light': 'Hell',
  'app.theme_dark': 'Dunkel',

  'failure.title': 'Das hat nicht geklappt',
  'failure.code': 'Code',
  'failure.request': 'Anfrage',
  'failure.support': 'Wenn du um Hilfe bittest, nenne den Code und die Anfrage.',
  'failure.write': 'An den Support schreiben',
  'failure.sign_in': 'Neu anmelden',

  'error.unknown': 'Bei uns ist etwas schiefgegangen. Versuche es gleich noch einmal.',
  'error.network': 'Der Server ist nicht erreichbar. Prüfe deine Verbindung und versuche es noch einmal.',
  'error.validation': 'Etwas von deinen Angaben passt nicht.',
};
