/**
 * Active currency codes of ISO 4217 (list one) by the digits of their minor unit. Funds, precious metals, and codes without a minor unit
 * (such as XAU and XDR) are left out: no card payment is made in them.
 */
const CODES_BY_DIGITS: Readonly<Record<number, string>> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  2:
    'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY COP COU CRC CUP ' +
    'CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD ' +
    'KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR ' +
    'PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU ' +
    'UZS VED VES WST XCD XCG YER ZAR ZMW ZWG',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
};

const MINOR_UNIT_DIGITS: ReadonlyMap<string, number> = new Map(
  Object.entries(CODES_BY_DIGITS).flatMap(([digits, codes]) => codes.split(' ').map((code) => [code, Number(digits)])),
);

/** The active currency codes, in alphabetical order. */
export const currencyCodes = (): string[] => [...MINOR_UNIT_DIGITS.keys()].sort();

/** Digits after the decimal point of a currency's minor unit (ISO 4217): EUR 2, JPY 0. Undefined for an unknown code. */
export const minorUnitDigits = (currency: string): number | undefined => MINOR_UNIT_DIGITS.get(currency);
