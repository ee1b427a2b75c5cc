import { type DescField, getOption } from '@bufbuild/protobuf';
import { type FieldRules, field as fieldOption, Ignore } from '@bufbuild/protovalidate/gen/buf/validate/validate_pb.js';
import { Format, format as formatOption } from '@florin/proto/options/v1/options';
import { collapseSpaces, merchantTextProblem } from '../fields.ts';
import { minorUnitDigits } from '../money.ts';

/** A form of texts. */
export type TextForm = {
  /** The problem of a text in its canonical spelling; undefined if it has the form. */
  problemOf: (text: string) => string | undefined;
  /** The one spelling in which handlers see a text. Default: the text itself. */
  canonical?: (text: string) => string;
  /** Exempts the empty text. */
  optional: boolean;
};

const shaped =
  (shape: RegExp, problem: string): TextForm['problemOf'] =>
  (text) =>
    shape.test(text) ? undefined : problem;

/** RFC 9562: versions 1 to 8, and the nil and max UUIDs. */
const UUID = /^(?:[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}|0{8}-(?:0{4}-){3}0{12}|f{8}-(?:f{4}-){3}f{12})$/;

/** Ids are compared and stored as text, so each needs one spelling. */
const uuidForm: TextForm = {
  problemOf: shaped(UUID, 'must be a UUID'),
  canonical: (text) => text.toLowerCase(),
  optional: false,
};

const FORMS: Readonly<Partial<Record<number, Omit<TextForm, 'optional'>>>> = {
  [Format.AMOUNT]: {
    problemOf: shaped(/^[1-9][0-9]{0,59}$/, 'must be a positive integer in the smallest unit, without sign, point or leading zeros'),
  },
  [Format.CURRENCY]: { problemOf: (text) => (minorUnitDigits(text) === undefined ? 'must be an active ISO 4217 code' : undefined) },
  [Format.PRINTABLE]: { problemOf: shaped(/^[^\p{C}\p{Zl}\p{Zp}]*$/u, 'must be printable characters') },
  [Format.MERCHANT_TEXT]: { problemOf: merchantTextProblem, canonical: collapseSpaces },
  [Format.JWE]: { problemOf: shaped(/^[A-Za-z0-9_-]+\.\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*\.[A-Za-z0-9_-]+$/, 'must be a compact JWE') },
  [Format.THUMBPRINT]: { problemOf: shaped(/^[A-Za-z0-9_-]{43}$/, 'must be a SHA-256 thumbprint in base64url') },
  [Format.TX_HASH]: { problemOf: shaped(/^0x[0-9a-f]{64}$/, 'must be 0x and 64 hex digits'), canonical: (text) => text.toLowerCase() },
  [Format.TRIMMED]: { problemOf: (text) => (text.trim() === text ? undefined : 'must not begin or end with a space') },
  [Format.ASCII]: { problemOf: shaped(/^[!-~]*$/, 'must be printable ASCII characters without spaces') },
};

/**
 * The form of a field's texts, or of the texts of a list.
 * @returns undefined if its contract states none
 * @throws Error for a format that this release does not know
 */
export const textFormOf = (field: DescField): TextForm | undefined => {
  const rules = getOption(field, fieldOption);
  const ofTexts: FieldRules | undefined = rules.type.case === 'repeated' ? rules.type.value.items : rules;
  if (ofTexts?.type.case === 'string' && ofTexts.type.value.wellKnown.case === 'uuid') {
    return { ...uuidForm, optional: ofTexts.ignore === Ignore.IF_ZERO_VALUE };
  }
  const format = getOption(field, formatOption);
  if (format === Format.UNSPECIFIED) return undefined;
  const form = FORMS[format];
  if (form === undefined) throw new Error(`${field.parent.typeName}.${field.name} has an unknown format, ${format}`);
  return { ...form, optional: true };
};
