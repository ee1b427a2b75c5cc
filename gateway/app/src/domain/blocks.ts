import type { CardControls } from '@florin/client';

/** The properties of merchants that can be blocked by choosing from a list. */
export const BLOCKABLE = ['countries', 'categories'] as const;

export type Blockable = (typeof BLOCKABLE)[number];

/** The countries and territories of ISO 3166-1, by their alpha-2 codes. */
export const COUNTRIES: readonly string[] = (
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK ' +
  'CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS ' +
  'GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV ' +
  'LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM ' +
  'PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR ' +
  'TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW'
).split(' ');

/** The categories of merchants (ISO 18245) that people block; the platform knows all of them, and shows one that was blocked elsewhere. */
export const CATEGORIES: readonly string[] = ['4829', '5813', '5816', '5921', '5933', '5967', '5993', '6051', '6211', '7273', '7995'];

/** Names countries in the reader's language; a code without a name is shown as it is. */
export const namesOfCountries = (locale: string): ((code: string) => string) => {
  const names = new Intl.DisplayNames(locale, { type: 'region' });
  return (code) => {
    try {
      return names.of(code) ?? code;
    } catch {
      // Two letters that are no region for the browser.
      return code;
    }
  };
};

/** The controls with a code blocked, or not blocked any more; everything else stays. */
export const withBlocked = (controls: CardControls, list: Blockable, code: string, isBlocked: boolean): CardControls => {
  const { deny, ...rest } = controls[list];
  const others = deny.filter((one) => one !== code);
  return { ...controls, [list]: { ...rest, deny: isBlocked ? [...others, code] : others } };
};

/** The controls that differ from the former ones, and all of them where those are not known. */
export const changesOf = (former: CardControls | undefined, next: CardControls): Partial<CardControls> =>
  Object.fromEntries(
    Object.entries(next).filter(([name, value]) => JSON.stringify(former?.[name as keyof CardControls]) !== JSON.stringify(value)),
  );
