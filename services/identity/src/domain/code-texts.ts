/** Lifetime of a code as messages state it. */
const LIFE_MINUTES = 5;

type Texts = {
  subject: (partnerName: string) => string;
  /** The first line of the mail, which the code ends. */
  lead: string;
  rest: string;
  sms: (code: string, partnerName: string) => string;
};

const TEXTS = {
  en: {
    subject: (partnerName) => `Your ${partnerName} code`,
    lead: 'Your code is',
    rest: `It is valid for ${LIFE_MINUTES} minutes. Never share it. If you did not ask for it, ignore this message.`,
    sms: (code, partnerName) => `${code} is your ${partnerName} code, valid for ${LIFE_MINUTES} minutes. Never share it.`,
  },
  de: {
    subject: (partnerName) => `Dein Code von ${partnerName}`,
    lead: 'Dein Code ist',
    rest: `Er gilt ${LIFE_MINUTES} Minuten. Gib ihn nie weiter. Hast du ihn nicht angefordert, ignoriere diese Nachricht.`,
    sms: (code, partnerName) => `${code} ist dein Code von ${partnerName}, gültig für ${LIFE_MINUTES} Minuten. Gib ihn nie weiter.`,
  },
  fr: {
    subject: (partnerName) => `Votre code ${partnerName}`,
    lead: 'Votre code est',
    rest: `Il est valable ${LIFE_MINUTES} minutes. Ne le communiquez jamais. Si vous ne l’avez pas demandé, ignorez ce message.`,
    sms: (code, partnerName) => `${code} est votre code ${partnerName}, valable ${LIFE_MINUTES} minutes. Ne le communiquez jamais.`,
  },
} as const satisfies Readonly<Record<string, Texts>>;

/** The language of the texts for a wanted one (BCP 47): English if there are none in it. */
const languageFor = (wanted: string): keyof typeof TEXTS => (Object.hasOwn(TEXTS, wanted) ? (wanted as keyof typeof TEXTS) : 'en');

export const emailCodeText = (code: string, partnerName: string, wanted: string): { subject: string; text: string; html: string } => {
  const language = languageFor(wanted);
  const { subject, lead, rest } = TEXTS[language];
  return {
    subject: subject(partnerName),
    text: `${lead} ${code}.\n\n${rest}\n`,
    html: [
      `<!doctype html><html lang="${language}"><body style="font-family:sans-serif">`,
      `<p>${lead}</p><p style="font-size:2em;letter-spacing:.2em"><strong>${code}</strong></p>`,
      `<p>${rest}</p>`,
      '</body></html>',
    ].join(''),
  };
};

export const phoneCodeText = (code: string, partnerName: string, wanted: string): string =>
  TEXTS[languageFor(wanted)].sms(code, partnerName);
