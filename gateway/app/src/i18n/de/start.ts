import type { Translation } from '@florin/ui/i18n/message.ts';
import type { startEn } from '../en/start.ts';

/** German texts of the start, and texts of every screen. */
export const startDe: Translation<typeof startEn> = {
  'app.save': 'Speichern',
  'app.saved': 'Gespeichert.',
  'app.all': 'Alle anzeigen',
  'app.offline': 'Du bist offline. Was du siehst, kann veraltet sein.',

  'nav.label': 'Hauptmenü',
  'nav.home': 'Start',
  'nav.cards': 'Karten',
  'nav.payments': 'Zahlungen',
  'nav.account': 'Konto',
  'nav.security': 'Sicherheit',

  'unreachable.title': 'Florin ist nicht zu erreichen',
  'unreachable.lead': 'Du bist noch angemeldet. Prüfe deine Verbindung; diese Seite versucht es von selbst wieder.',

  'unreachable.as_of': 'Stand: {time}',
  'app.update': 'Eine neue Version der App ist bereit.',
  'app.update_do': 'Laden',
  'sign_in.title': 'Dein Geld, deine Wallet, deine Karte',
  'sign_in.lead': 'Melde dich mit deiner Wallet an. Es gibt kein Passwort, und die Unterschrift bewegt kein Geld.',
  'sign_in.wallets': 'Wähle eine Wallet',
  'sign_in.with': 'Weiter mit {wallet}',
  'sign_in.test_wallet': 'Testwallet',
  'sign_in.test_wallet_hint': 'Ihr Schlüssel entsteht und bleibt in diesem Browser. Nur zum Ausprobieren: Schicke nie echtes Geld an sie.',
  'sign_in.none': 'In diesem Browser wurde keine Wallet gefunden',
  'sign_in.none_hint': 'Installiere eine Wallet-Erweiterung oder öffne diese Seite im Browser deiner Wallet-App. Lade die Seite dann neu.',
  'sign_in.reload': 'Neu laden',
  'sign_in.waiting': 'Bestätige in der Wallet …',
  'sign_in.ended': 'Du wurdest abgemeldet. Melde dich an, um weiterzumachen.',
  'sign_in.untold_title': 'Du bist nur auf dieser Seite abgemeldet',
  'sign_in.untold_lead':
    'Der Server hat davon nichts erfahren. Wer diesen Browser nach dir benutzt, könnte als du weitermachen. Versuche es noch einmal, sobald du online bist, oder melde dich von einem anderen Gerät aus überall ab.',
  'sign_in.untold_again': 'Noch einmal abmelden',
  'sign_in.not_kept':
    'Dieser Browser lässt die Seite nichts speichern, zum Beispiel weil das Fenster privat ist. Nach dem Neuladen musst du dich wieder anmelden, und ein Testwallet ist verloren.',

  'next.steps': 'Schritte zu deiner Karte',
  'next.step_register': 'E-Mail-Adresse bestätigen',
  'next.step_terms': 'Bedingungen annehmen',
  'next.step_identity': 'Identität nachweisen',
  'next.step_funds': 'Herkunft des Geldes angeben',
  'next.step_order_card': 'Karte bestellen',

  'register.title': 'Bestätige deine E-Mail-Adresse',
  'register.lead': 'Wir schicken dir einen Code. An diese Adresse schreiben wir, wenn mit deinem Konto etwas Wichtiges geschieht.',
  'register.email': 'E-Mail-Adresse',
  'register.email_wrong': 'Gib eine E-Mail-Adresse ein, zum Beispiel ann@example.org.',
  'register.send': 'Code senden',
  'register.sent': 'Wir haben einen Code an {email} geschickt.',
  'register.code': 'Code aus der E-Mail',
  'register.finish': 'Konto eröffnen',
  'register.again': 'Neuen Code senden',
  'register.again_in': 'Neuer Code in {seconds} s',
  'register.other': 'Andere Adresse verwenden',
  'register.read_mail': 'E-Mail lesen',
  'register.read_mail_hint': 'In der Sandbox verlässt keine E-Mail diesen Rechner. Das liest den Code für dich.',

  'terms.title': 'Nimm die Bedingungen an',
  'terms.lead': 'Bitte lies diese Dokumente. Sie öffnen sich in einem neuen Tab.',
  'terms.accept': 'Ich nehme an: {name}, Fassung {version}',
  'terms.read': '„{name}“ lesen',
  'terms.done': 'Annehmen und weiter',

  'identity.title': 'Weise deine Identität nach',
  'identity.lead': 'Das Gesetz verlangt, dass wir wissen, wem ein Konto gehört. Du brauchst einen Ausweis und ein paar Minuten.',
  'identity.start': 'Identitätsprüfung beginnen',
  'identity.again_title': 'Wir müssen noch einmal hinsehen',
  'identity.again_lead': 'Etwas war nicht lesbar. Bitte mache die Identitätsprüfung noch einmal.',
  'identity.waits_title': 'Wir prüfen deine Unterlagen',
  'identity.waits_lead': 'Das dauert meist ein paar Minuten, selten einen Tag. Diese Seite geht von selbst weiter.',

  'funds.title': 'Woher dein Geld kommt',
  'funds.lead': 'Das Gesetz verlangt, dass wir fragen. Deine Antworten bleiben bei uns.',
  'funds.choose': 'Bitte wählen',
  'funds.done': 'Antworten senden',

  'set_up.title': 'Richte dein Konto ein',
  'set_up.lead':
    'Deine Wallet unterschreibt, dass das Konto dir und uns zusammen gehört: Allein kann niemand dein Geld bewegen. Die Kosten tragen wir.',
  'set_up.second_key': 'Unser Schlüssel',
  'set_up.way_out': 'Ausweg ohne uns',
  'set_up.way_out_after': 'nach {hours} Stunden',
  'set_up.sign': 'Einrichtung unterschreiben',

  'account_waits.title': 'Dein Konto wird eingerichtet',
  'account_waits.lead': 'Das dauert einen Moment. Diese Seite geht von selbst weiter.',
  'rejected.title': 'Wir können kein Konto für dich eröffnen',
  'rejected.lead': 'So ist die Identitätsprüfung ausgegangen. Wenn du das für falsch hältst, schreibe an den Support.',
  'blocked.title': 'Dein Konto ist gesperrt',
  'blocked.lead': 'Karten und Auszahlungen sind gestoppt. Schreibe an den Support, um den Grund zu erfahren.',
  'closed.title': 'Dein Konto ist geschlossen',
  'closed.lead': 'Hier lässt sich nichts mehr damit tun.',
};
