import type { Language } from './preferences.ts';

/** Money for people: a decimal number and a currency (ISO 4217). */
export type Money = { decimal: string; currency: string };

/** The facts of a notification. None is a secret: no number of a card, no code, no address. */
export type Facts =
  | { about: 'payment_approved'; merchant: string; money: Money }
  | { about: 'payment_declined'; merchant: string; money: Money; reason: DeclineGroup }
  | { about: 'challenge'; merchant: string; money: Money | undefined }
  | { about: 'refund' | 'dispute_won' | 'dispute_lost'; merchant: string; money: Money }
  | { about: 'deposit_approved' | 'deposit_rejected' | 'withdrawal_completed' | 'withdrawal_failed'; money: Money }
  | { about: 'recipient_requested' | 'return_requested' }
  | { about: 'card'; event: CardEvent; last4: string }
  | {
      about:
        | 'wallet_added'
        | 'wallet_removed'
        | 'primary_wallet_changed'
        | 'signed_in_elsewhere'
        | 'phone_changed'
        | 'limits_raising'
        | 'controls_opening'
        | 'backup_key_named'
        | 'recovery_requested'
        | 'recovery_completed'
        | 'recovery_cancelled'
        | 'safe_changed'
        | 'token_frozen';
    };

export type CardEvent = 'issued' | 'frozen' | 'unfrozen' | 'lost' | 'stolen' | 'cancelled' | 'replaced' | 'renewed';

/** Why a payment was declined, as far as a notification says; the app says it exactly. */
export type DeclineGroup = 'card' | 'account' | 'limit' | 'funds' | 'approval' | 'pin' | 'data' | 'controls' | 'fraud' | 'other';

const GROUPS: readonly (readonly [pattern: RegExp, group: DeclineGroup])[] = [
  [/_limit_exceeded$/, 'limit'],
  [/^insufficient_funds$/, 'funds'],
  [/^authentication_/, 'approval'],
  [/^pin_/, 'pin'],
  [/_incorrect$|^security_code_/, 'data'],
  [/_blocked$(?<!account_blocked)/, 'controls'],
  [/^card_/, 'card'],
  [/^account_/, 'account'],
  [/^suspected_fraud$/, 'fraud'],
];

/** The group of a decline's code. */
export const declineGroup = (code: string): DeclineGroup => GROUPS.find(([pattern]) => pattern.test(code))?.[1] ?? 'other';

export type Text = { title: string; body: string };

type Texts = {
  declined: Readonly<Record<DeclineGroup, string>>;
  card: Readonly<Record<CardEvent, string>>;
  titles: {
    approved: string;
    declined: string;
    challenge: string;
    refund: string;
    disputeWon: string;
    disputeLost: string;
    deposit: string;
    depositRejected: string;
    withdrawal: string;
    withdrawalFailed: string;
    recipient: string;
    card: string;
    security: string;
  };
  approve: string;
  recipient: string;
  returnRequested: string;
  depositRejected: string;
  withdrawalFailed: string;
  wallet_added: string;
  wallet_removed: string;
  primary_wallet_changed: string;
  signed_in_elsewhere: string;
  phone_changed: string;
  limits_raising: string;
  controls_opening: string;
  backup_key_named: string;
  recovery_requested: string;
  recovery_completed: string;
  recovery_cancelled: string;
  safe_changed: string;
  token_frozen: string;
  /** Last line of a mail. */
  open: string;
  /** How to stop the mails. */
  stop: string;
};

const EN: Texts = {
  declined: {
    card: 'The card cannot be used.',
    account: 'The account cannot be used.',
    limit: 'It was more than a limit.',
    funds: 'There was not enough money.',
    approval: 'It has to be approved in the app.',
    pin: 'The PIN was missing or wrong.',
    data: 'Something that was entered was wrong.',
    controls: 'You do not permit it for this card.',
    fraud: 'It looked like fraud.',
    other: 'The app says why.',
  },
  card: {
    issued: 'The card {last4} is ready.',
    frozen: 'The card {last4} is frozen.',
    unfrozen: 'The card {last4} can be used again.',
    lost: 'The card {last4} was reported lost.',
    stolen: 'The card {last4} was reported stolen.',
    cancelled: 'The card {last4} was cancelled.',
    replaced: 'The card {last4} was replaced.',
    renewed: 'The card {last4} has a new expiry date.',
  },
  titles: {
    approved: 'Paid',
    declined: 'Declined',
    challenge: 'Is this payment yours?',
    refund: 'Refund',
    disputeWon: 'Dispute won',
    disputeLost: 'Dispute lost',
    deposit: 'Money received',
    depositRejected: 'Deposit rejected',
    withdrawal: 'Withdrawal completed',
    withdrawalFailed: 'Withdrawal failed',
    recipient: 'New recipient',
    card: 'Your card',
    security: 'Your account',
  },
  approve: 'Approve or decline it in the app.',
  recipient: 'A withdrawal to a new address was requested. If it was not you, tell support at once.',
  returnRequested: 'It has to go back to its sender. Sign that in the app.',
  depositRejected: 'It was not credited.',
  withdrawalFailed: 'The money is back in your account.',
  wallet_added: 'A wallet was added. If it was not you, tell support at once.',
  wallet_removed: 'A wallet was removed. If it was not you, tell support at once.',
  primary_wallet_changed: 'Another wallet is the primary one. If it was not you, tell support at once.',
  signed_in_elsewhere:
    'There is a new sign-in to your account. If it was not you, end sessions that you do not know, and tell support at once.',
  phone_changed: 'The phone number was changed. If it was not you, tell support at once.',
  limits_raising: 'Limits of a card are being raised. If it was not you, tell support at once.',
  controls_opening: 'A card is being allowed for payments that were blocked. If it was not you, tell support at once.',
  backup_key_named: 'A backup key was named for your account. If it was not you, tell support at once.',
  recovery_requested:
    'The wallet that owns your account is being exchanged with the backup key, once the waiting time is over. If it was not you, tell support at once.',
  recovery_completed: 'Another wallet owns your account now.',
  recovery_cancelled: 'The exchange of the wallet that owns your account did not take place.',
  safe_changed: 'The control of your address is being changed, or a way out was asked for. If it was not you, tell support at once.',
  token_frozen: 'The issuer of a token has frozen your address. You cannot spend this token until that is over.',
  open: 'Open the app:',
  stop: 'You chose to be told of this by e-mail, and can change that in the app, under Security.',
};

const DE: Texts = {
  declined: {
    card: 'Die Karte kann nicht benutzt werden.',
    account: 'Das Konto kann nicht benutzt werden.',
    limit: 'Es war mehr als ein Limit erlaubt.',
    funds: 'Das Guthaben reichte nicht.',
    approval: 'Die Zahlung muss in der App bestätigt werden.',
    pin: 'Die PIN fehlte oder war falsch.',
    data: 'Eine Angabe war falsch.',
    controls: 'Du erlaubst das für diese Karte nicht.',
    fraud: 'Es sah nach Betrug aus.',
    other: 'Die App sagt, warum.',
  },
  card: {
    issued: 'Die Karte {last4} ist bereit.',
    frozen: 'Die Karte {last4} ist gesperrt.',
    unfrozen: 'Die Karte {last4} kann wieder benutzt werden.',
    lost: 'Die Karte {last4} wurde als verloren gemeldet.',
    stolen: 'Die Karte {last4} wurde als gestohlen gemeldet.',
    cancelled: 'Die Karte {last4} wurde gekündigt.',
    replaced: 'Die Karte {last4} wurde ersetzt.',
    renewed: 'Die Karte {last4} ist länger gültig.',
  },
  titles: {
    approved: 'Bezahlt',
    declined: 'Abgelehnt',
    challenge: 'Ist das deine Zahlung?',
    refund: 'Erstattung',
    disputeWon: 'Reklamation gewonnen',
    disputeLost: 'Reklamation verloren',
    deposit: 'Geld eingegangen',
    depositRejected: 'Einzahlung abgelehnt',
    withdrawal: 'Auszahlung ausgeführt',
    withdrawalFailed: 'Auszahlung gescheitert',
    recipient: 'Neuer Empfänger',
    card: 'Deine Karte',
    security: 'Dein Konto',
  },
  approve: 'Bestätige sie oder lehne sie ab, in der App.',
  recipient: 'Eine Auszahlung an eine neue Adresse wurde verlangt. Warst du es nicht, schreib sofort dem Support.',
  returnRequested: 'Sie muss zurück an den Absender. Unterschreibe das in der App.',
  depositRejected: 'Sie wurde nicht gutgeschrieben.',
  withdrawalFailed: 'Das Geld ist wieder auf deinem Konto.',
  wallet_added: 'Ein Wallet wurde hinzugefügt. Warst du es nicht, schreib sofort dem Support.',
  wallet_removed: 'Ein Wallet wurde entfernt. Warst du es nicht, schreib sofort dem Support.',
  primary_wallet_changed: 'Ein anderes Wallet ist das Haupt-Wallet. Warst du es nicht, schreib sofort dem Support.',
  signed_in_elsewhere:
    'An deinem Konto gibt es eine neue Anmeldung. Warst du es nicht, beende Sitzungen, die du nicht kennst, und schreib sofort dem Support.',
  phone_changed: 'Die Telefonnummer wurde geändert. Warst du es nicht, schreib sofort dem Support.',
  limits_raising: 'Limits einer Karte werden erhöht. Warst du es nicht, schreib sofort dem Support.',
  controls_opening: 'Eine Karte wird für Zahlungen freigegeben, die gesperrt waren. Warst du es nicht, schreib sofort dem Support.',
  backup_key_named: 'Für dein Konto wurde ein Ersatzschlüssel benannt. Warst du es nicht, schreib sofort dem Support.',
  recovery_requested:
    'Das Wallet, dem dein Konto gehört, wird mit dem Ersatzschlüssel ausgetauscht, sobald die Wartezeit vorbei ist. Warst du es nicht, schreib sofort dem Support.',
  recovery_completed: 'Dein Konto gehört jetzt einem anderen Wallet.',
  recovery_cancelled: 'Der Austausch des Wallets, dem dein Konto gehört, hat nicht stattgefunden.',
  safe_changed:
    'Die Kontrolle über deine Adresse wird geändert, oder ein Ausstieg wurde verlangt. Warst du es nicht, schreib sofort dem Support.',
  token_frozen: 'Der Herausgeber eines Tokens hat deine Adresse eingefroren. Du kannst diesen Token nicht ausgeben, bis das vorbei ist.',
  open: 'Zur App:',
  stop: 'Du wolltest das per E-Mail erfahren und kannst das in der App unter „Sicherheit“ ändern.',
};

const FR: Texts = {
  declined: {
    card: 'La carte ne peut pas être utilisée.',
    account: 'Le compte ne peut pas être utilisé.',
    limit: 'Une limite était dépassée.',
    funds: 'Le solde ne suffisait pas.',
    approval: 'Le paiement doit être approuvé dans l’application.',
    pin: 'Le code PIN manquait ou était faux.',
    data: 'Une donnée saisie était fausse.',
    controls: 'Vous ne le permettez pas pour cette carte.',
    fraud: 'Il ressemblait à une fraude.',
    other: 'L’application dit pourquoi.',
  },
  card: {
    issued: 'La carte {last4} est prête.',
    frozen: 'La carte {last4} est bloquée.',
    unfrozen: 'La carte {last4} est de nouveau utilisable.',
    lost: 'La carte {last4} a été déclarée perdue.',
    stolen: 'La carte {last4} a été déclarée volée.',
    cancelled: 'La carte {last4} a été résiliée.',
    replaced: 'La carte {last4} a été remplacée.',
    renewed: 'La carte {last4} a une nouvelle date d’expiration.',
  },
  titles: {
    approved: 'Payé',
    declined: 'Refusé',
    challenge: 'Ce paiement est-il le vôtre ?',
    refund: 'Remboursement',
    disputeWon: 'Litige gagné',
    disputeLost: 'Litige perdu',
    deposit: 'Argent reçu',
    depositRejected: 'Dépôt rejeté',
    withdrawal: 'Retrait effectué',
    withdrawalFailed: 'Retrait échoué',
    recipient: 'Nouveau destinataire',
    card: 'Votre carte',
    security: 'Votre compte',
  },
  approve: 'Approuvez-le ou refusez-le dans l’application.',
  recipient: 'Un retrait vers une nouvelle adresse a été demandé. Si ce n’était pas vous, prévenez aussitôt l’assistance.',
  returnRequested: 'Il doit retourner à son expéditeur. Signez cela dans l’application.',
  depositRejected: 'Il n’a pas été crédité.',
  withdrawalFailed: 'L’argent est revenu sur votre compte.',
  wallet_added: 'Un portefeuille a été ajouté. Si ce n’était pas vous, prévenez aussitôt l’assistance.',
  wallet_removed: 'Un portefeuille a été retiré. Si ce n’était pas vous, prévenez aussitôt l’assistance.',
  primary_wallet_changed: 'Un autre portefeuille est le principal. Si ce n’était pas vous, prévenez aussitôt l’assistance.',
  signed_in_elsewhere:
    'Il y a une nouvelle connexion à votre compte. Si ce n’était pas vous, fermez les sessions que vous ne connaissez pas et prévenez aussitôt l’assistance.',
  phone_changed: 'Le numéro de téléphone a été changé. Si ce n’était pas vous, prévenez aussitôt l’assistance.',
  limits_raising: 'Des limites d’une carte sont en train d’être augmentées. Si ce n’était pas vous, prévenez aussitôt l’assistance.',
  controls_opening:
    'Une carte est en train d’être autorisée pour des paiements qui étaient bloqués. Si ce n’était pas vous, prévenez aussitôt l’assistance.',
  backup_key_named: 'Une clé de secours a été désignée pour votre compte. Si ce n’était pas vous, prévenez aussitôt l’assistance.',
  recovery_requested:
    'Le portefeuille qui possède votre compte est en train d’être remplacé avec la clé de secours, dès la fin du délai d’attente. Si ce n’était pas vous, prévenez aussitôt l’assistance.',
  recovery_completed: 'Un autre portefeuille possède maintenant votre compte.',
  recovery_cancelled: 'Le remplacement du portefeuille qui possède votre compte n’a pas eu lieu.',
  safe_changed:
    'Le contrôle de votre adresse est en train de changer, ou une sortie a été demandée. Si ce n’était pas vous, prévenez aussitôt l’assistance.',
  token_frozen: 'L’émetteur d’un jeton a gelé votre adresse. Vous ne pouvez pas dépenser ce jeton tant que cela dure.',
  open: 'Ouvrir l’application :',
  stop: 'Vous avez choisi d’en être informé par e-mail ; cela se change dans l’application, sous « Sécurité ».',
};

const TEXTS: Readonly<Record<Language, Texts>> = { en: EN, de: DE, fr: FR };

/** Exact, however many digits: formats the decimal text itself, which no double can hold. */
const formatMoney = ({ decimal, currency }: Money, language: Language): string =>
  new Intl.NumberFormat(language, { style: 'currency', currency }).format(decimal as Intl.StringNumericLiteral);

/** The title and the text of a notification. */
export const textOf = (facts: Facts, language: Language): Text => {
  const texts = TEXTS[language];
  const { titles } = texts;
  const money = (one: Money) => formatMoney(one, language);
  switch (facts.about) {
    case 'payment_approved':
      return { title: `${titles.approved}: ${money(facts.money)}`, body: facts.merchant };
    case 'payment_declined':
      return { title: `${titles.declined}: ${money(facts.money)}`, body: `${facts.merchant}. ${texts.declined[facts.reason]}` };
    case 'challenge':
      return {
        title: titles.challenge,
        body: `${facts.money === undefined ? '' : `${money(facts.money)}, `}${facts.merchant}. ${texts.approve}`,
      };
    case 'refund':
      return { title: `${titles.refund}: ${money(facts.money)}`, body: facts.merchant };
    case 'dispute_won':
      return { title: titles.disputeWon, body: `${facts.merchant}, ${money(facts.money)}` };
    case 'dispute_lost':
      return { title: titles.disputeLost, body: `${facts.merchant}, ${money(facts.money)}` };
    case 'deposit_approved':
      return { title: titles.deposit, body: money(facts.money) };
    case 'deposit_rejected':
      return { title: titles.depositRejected, body: `${money(facts.money)}. ${texts.depositRejected}` };
    case 'withdrawal_completed':
      return { title: titles.withdrawal, body: money(facts.money) };
    case 'withdrawal_failed':
      return { title: titles.withdrawalFailed, body: `${money(facts.money)}. ${texts.withdrawalFailed}` };
    case 'return_requested':
      return { title: titles.depositRejected, body: texts.returnRequested };
    case 'recipient_requested':
      return { title: titles.recipient, body: texts.recipient };
    case 'card':
      return { title: titles.card, body: texts.card[facts.event].replace('{last4}', facts.last4) };
    default:
      return { title: titles.security, body: texts[facts.about] };
  }
};

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** The mail of a notification. */
export const mailOf = (
  { title, body }: Text,
  language: Language,
  url: string | undefined,
): { subject: string; text: string; html: string } => {
  const { open, stop } = TEXTS[language];
  const text = [body, ...(url === undefined ? [] : [`${open} ${url}`]), stop].join('\n\n');
  const link = url === undefined ? [] : [`${escapeHtml(open)} <a href="${escapeHtml(url)}">${escapeHtml(url)}</a>`];
  const html = [escapeHtml(body), ...link, escapeHtml(stop)].map((line) => `<p>${line}</p>`).join('\n');
  return { subject: title, text: `${text}\n`, html: `<html lang="${language}"><body>${html}</body></html>` };
};
