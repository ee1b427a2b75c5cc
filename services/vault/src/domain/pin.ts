/** A personal identification number: four digits (ISO 9564-1 allows four to twelve). */
export const PIN_SHAPE = /^\d{4}$/;

/** Wrong PINs in a row after which a PIN is blocked. */
export const MAX_PIN_TRIES = 3;

const isRun = (pin: string, step: number): boolean =>
  [...pin].every((digit, index) => index === 0 || Number(digit) === (Number(pin[index - 1]) + step + 10) % 10);

/**
 * Reports whether a PIN is among those that are guessed first: one digit repeated, a pair repeated, ascending or descending digits, a year of birth
 * (ISO 9564-1, section 8.1).
 */
export const isGuessedFirst = (pin: string): boolean =>
  isRun(pin, 0) || isRun(pin, 1) || isRun(pin, -1) || pin.slice(0, 2) === pin.slice(2) || /^(?:19|20)\d\d$/.test(pin);
