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
  ASSIGNMENT_CHANGED: 'Jemand anderes hat das inzwischen zugewiesen. Die Liste zeigt, wem.',
  BACK_OFFICE_NOT_ADMITTED:
    'Ein Dienst lässt das Backoffice nicht zu. An deinen Rollen liegt es nicht: Wer die Plattform betreibt, muss ihre Konfiguration berichtigen.',
  ORDER_STATE_CONFLICT: 'Ein anderer Operator hat diesen Auftrag entschieden, oder er ist abgelaufen.',
  UPSTREAM_TIMEOUT:
    'Die Antwort hat zu lange gedauert. Sieh nach, ob es getan ist, bevor du es noch einmal versuchst; nichts geschieht doppelt.',
  IDEMPOTENCY_IN_PROGRESS: 'Das läuft noch. Warte einen Moment.',
  KYC_STATE_CONFLICT: 'Nichts wurde geändert: Die Identitätsprüfung ist inzwischen in einem anderen Zustand. Lade die Seite neu.',
  CARD_STATE_CONFLICT: 'Nichts wurde geändert: Die Karte ist inzwischen in einem anderen Zustand. Lade die Seite neu.',
  ACCOUNT_STATE_CONFLICT: 'Nichts wurde geändert: Das Konto ist noch nicht eingerichtet oder geschlossen.',
  DISPUTE_NOT_AVAILABLE: 'Nichts wurde festgehalten: Die Reklamation ist anders entschieden oder nicht da. Lade die Seite neu.',
  DEPOSIT_STATE_CONFLICT: 'Ein anderer Operator oder eine Regel hat über diese Einzahlung anders entschieden.',
  EXCEPTION_STATE_CONFLICT: 'Ein anderer Operator oder eine Regel hat darüber entschieden oder ist gerade dabei. Lade die Seite neu.',
  ADJUSTMENT_STATE_CONFLICT: 'Ein anderer Operator hat diesen Auftrag entschieden, oder er ist abgelaufen.',
  SAFE_NOT_VERIFIED:
    'Niemandes Entscheidung sperrt das Konto mehr, doch es bleibt gesperrt: Sein Safe ist nicht so, wie er sein muss. Er wird binnen Stunden wieder geprüft; mit einer anderen Geschichte braucht es ein anderes Konto.',
  SAFE_OWNER_REVOKED:
    'Niemandes Entscheidung sperrt das Konto mehr, doch es bleibt gesperrt: Über seinen Safe verfügt noch eine Wallet, die entfernt wurde.',
  ACCOUNT_NOT_REPLACEABLE:
    'Kein anderes Konto wird eröffnet: Der Safe dieses Kontos kann noch bestätigt werden, es hat Schulden oder vorgemerkte Zahlungen, oder jemand hat es gesperrt.',
  SAFES_NOT_AVAILABLE: 'Hier gibt es keine Safes: Der Plattform fehlen Schlüssel dafür oder ein Knoten dieser Kette.',
  DAY_NOT_ENDED: 'Nichts wurde abgeschlossen: Dieser Tag ist noch nicht vorüber, in UTC.',
  DAY_NOT_CLOSED: 'Dieser Tag ist noch nicht abgeschlossen.',
  ACCOUNT_BLOCKED: 'Nichts wurde bewegt: Das Konto ist gesperrt.',
  ACCOUNT_CLOSED: 'Nichts wurde bewegt: Das Konto ist geschlossen.',
  ACCOUNT_NOT_ACTIVE: 'Nichts wurde bewegt: Das Konto ist nicht aktiv.',
  ACCOUNTS_IN_DIFFERENT_SHARDS:
    'Nichts wurde bewegt: Diese Konten liegen in verschiedenen Teilen des Hauptbuchs. Beauftrage zwei Bewegungen über ein Systemkonto.',
  AMOUNT_INVALID: 'Nichts wurde bewegt: Dieser Betrag ist nicht möglich.',
  TOKEN_NOT_SUPPORTED: 'Nichts wurde bewegt: Dieser Token ist nicht eingerichtet.',
  TOKEN_BLOCKED: 'Nichts wurde bewegt: Der Token dieses Kontos ist gesperrt.',
  CURRENCY_NOT_SUPPORTED: 'Diese Währung wird nicht unterstützt.',
  COLLECTION_LIMIT_REACHED: 'Nichts wurde bewegt: Das Konto hat so viel ausgegeben, wie sich vorerst einziehen lässt.',
  CHAIN_HALTED: 'Nichts wurde bewegt: Die Chain ist angehalten.',
  ENTRY_NOT_REVERSIBLE: 'Nichts wurde bewegt: Buchungen dieser Art lassen sich nicht zurücknehmen.',
  ENTRY_ALREADY_REVERSED: 'Nichts wurde bewegt: Diese Buchung wurde schon zurückgenommen.',
  REVERSAL_EXCEEDS_ENTRY: 'Nichts wurde bewegt: Das ist mehr, als von der Buchung übrig ist.',
  ENTRIES_ARCHIVED: 'Diese Buchungen sind im Archiv und lassen sich hier nicht zeigen.',
  EVENT_TYPE_UNKNOWN: 'Ereignisse dieser Art gibt es nicht.',
  EVENT_NOT_FOUND: 'Dieses Ereignis gibt es nicht.',
  CURSOR_INVALID: 'Die Liste hat sich geändert. Lade die Seite neu.',
  CURSOR_AHEAD: 'An dieser Stelle gibt es noch keine Ereignisse.',
  EVENTS_ARCHIVED: 'Diese Ereignisse sind im Archiv und lassen sich von hier nicht noch einmal senden.',
  WEBHOOK_ORDER_LIMIT_REACHED: 'Für diesen Endpunkt warten schon zu viele Zustellungen. Versuche es noch einmal, wenn sie erledigt sind.',
  WEBHOOK_ENDPOINT_DISABLED: 'Der Endpunkt ist ausgeschaltet. Schalte ihn zuerst ein.',
  WEBHOOK_ENDPOINT_LIMIT_REACHED: 'Der Partner hat so viele Endpunkte, wie er haben kann. Lösche zuerst einen.',
  WEBHOOK_URL_FORBIDDEN:
    'An diese URL lässt sich nichts zustellen: Sie muss https sein, von einem öffentlichen Host, ohne Benutzernamen und Fragment.',
  WEBHOOK_SECRET_INVALID: 'Dieses Geheimnis ist nicht gültig.',
  PARTNER_KEY_IN_USE:
    'Dieser Schlüssel ist schon registriert, mit anderen Rechten, für einen anderen Partner, oder wurde widerrufen. Bitte um einen neuen.',
  PARTNER_KEY_LIMIT_REACHED: 'Der Partner hat so viele Schlüssel, wie er haben kann. Widerrufe zuerst einen.',
  CHAIN_NOT_HALTED: 'Diese Chain ist nicht mehr angehalten.',
  HALT_NOT_RESOLVABLE:
    'Ab diesem Block kann die Chain nicht weiterlaufen. Wähle einen früheren, oder warte, bis die Chain wieder endgültig ist.',
  PASSKEY_CANCELLED: 'Der Passkey hat nicht geantwortet: Das Fenster wurde geschlossen, oder es dauerte zu lange. Versuche es noch einmal.',
  PASSKEY_EXISTS: 'Dieses Gerät hat schon einen Passkey für dich.',
  PASSKEY_FAILED: 'Der Passkey ließ sich in diesem Browser nicht benutzen.',
};
