import type { errorTextsEn } from './error-texts-en.ts';

export const errorTextsDe: { readonly [Code in keyof typeof errorTextsEn]: string } = {
  UNAUTHORIZED: 'Deine Sitzung ist zu Ende. Melde dich neu an.',
  FORBIDDEN: 'Deine Rollen erlauben das nicht.',
  NOT_FOUND: 'Das gibt es nicht oder nicht mehr.',
  REASON_REQUIRED: 'Die Akte ist wieder geschlossen. Sag neu, warum du sie liest.',
  REAUTHENTICATION_REQUIRED: 'Bestätige mit deinem Passkey und versuche es dann noch einmal.',
  VALIDATION_FAILED: 'Etwas von deinen Angaben passt nicht.',
  RATE_LIMITED: 'Das war zu oft. Warte einen Moment und versuche es noch einmal.',
  SERVICE_UNAVAILABLE:
    'Ein Teil der Plattform oder das Prüfprotokoll ist ausgefallen. Nichts wurde gelesen oder getan. Versuche es gleich noch einmal.',
  SELF_APPROVAL: 'Du hast das selbst beauftragt. Ein anderer Operator muss es genehmigen.',
  INVITATION_WAITS: 'Dieser Link gilt, sobald ihn ein zweiter Administrator bestätigt hat.',
  PROVIDER_NOT_LINKED:
    'Dein Zugang hier ist nicht mit diesem verbunden. Melde dich mit einem Passkey an, und verbinde beide unter Deine Passkeys.',
  LAST_PASSKEY: 'Das ist dein einziger Zugang. Lege zuerst einen anderen Passkey an.',
  OPERATOR_EXISTS:
    'Dieses Postfach hat schon ein anderer Operator. Jede Person hat ein Konto: Lade sie mit der Adresse ein, die sie hier hat.',
  ACCOUNT_NOT_FOUND:
    'Nichts wurde bewegt: Ein Konto mit dieser Id oder diesem Namen gibt es nicht. Die Id eines Kontos ist nicht die seiner Person.',
  INSUFFICIENT_FUNDS: 'Nichts wurde bewegt: Das Konto hat weniger als das.',
  ORDER_STATE_CONFLICT: 'Ein anderer Operator hat diesen Auftrag entschieden, oder er ist abgelaufen.',
  CHAIN_NOT_HALTED: 'Diese Chain ist nicht mehr angehalten.',
  HALT_NOT_RESOLVABLE:
    'Ab diesem Block kann die Chain nicht weiterlaufen. Wähle einen früheren, oder warte, bis die Chain wieder endgültig ist.',
  PASSKEY_CANCELLED: 'Der Passkey hat nicht geantwortet: Das Fenster wurde geschlossen, oder es dauerte zu lange. Versuche es noch einmal.',
  PASSKEY_EXISTS: 'Dieses Gerät hat schon einen Passkey für dich.',
  PASSKEY_FAILED: 'Der Passkey ließ sich in diesem Browser nicht benutzen.',
};
