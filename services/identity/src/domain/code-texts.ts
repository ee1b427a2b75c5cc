/** Lifetime of a code as messages state it. */
const LIFE_MINUTES = 5;

export const emailCodeText = (code: string, partnerName: string): { subject: string; text: string; html: string } => ({
  subject: `Your ${partnerName} code`,
  text: `Your code is ${code}.\n\nIt is valid for ${LIFE_MINUTES} minutes. Never share it. If you did not ask for it, ignore this message.\n`,
  html: [
    '<!doctype html><html lang="en"><body style="font-family:sans-serif">',
    `<p>Your code is</p><p style="font-size:2em;letter-spacing:.2em"><strong>${code}</strong></p>`,
    `<p>It is valid for ${LIFE_MINUTES} minutes. Never share it. If you did not ask for it, ignore this message.</p>`,
    '</body></html>',
  ].join(''),
});

export const phoneCodeText = (code: string, partnerName: string): string =>
  `${code} is your ${partnerName} code, valid for ${LIFE_MINUTES} minutes. Never share it.`;
