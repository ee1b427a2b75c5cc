import { isAddress as isChecked } from 'viem/utils';
import { isAddress } from './abi.ts';
import type { LeaveFile } from './leave-file.ts';
import { delayModuleOf, safeOf } from './safe-addresses.ts';
import { DAY_LIMIT, type SafePlan } from './safe-calls.ts';

/** Longest list of a file. */
const MAX_ITEMS = 100;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** A key's is 65 bytes long, that of a contract longer. */
const SIGNATURE = /^0x(?:[0-9a-f]{2}){65,4096}$/;
/** Without characters that a screen does not show. */
const SYMBOL = /^[^\p{C}]{1,32}$/u;

const fail = (member: string, wanted: string): never => {
  throw new Error(`The account's file was changed or is damaged: ${member} must be ${wanted}.`);
};

const objectAt = (value: unknown, member: string): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : fail(member, 'an object');

const textAt = (value: unknown, member: string, pattern: RegExp, wanted: string): string =>
  typeof value === 'string' && pattern.test(value) ? value : fail(member, wanted);

const lowerCase = (value: unknown): unknown => (typeof value === 'string' ? value.toLowerCase() : value);

const addressAt = (value: unknown, member: string): string => {
  const address = lowerCase(value);
  return isAddress(address) ? address : fail(member, 'an address: 0x and 40 hex digits');
};

const numberAt = (value: unknown, member: string): number =>
  Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : fail(member, 'a whole number');

const listAt = <T>(value: unknown, member: string, read: (item: Record<string, unknown>, member: string) => T): T[] =>
  Array.isArray(value) && value.length <= MAX_ITEMS
    ? value.map((item, index) => read(objectAt(item, `${member}[${index}]`), `${member}[${index}]`))
    : fail(member, `a list of at most ${MAX_ITEMS}`);

const collectionAt = (value: unknown, member: string): Pick<SafePlan, 'collection'> => {
  if (value === undefined) return {};
  const { treasury, limits } = objectAt(value, member);
  return {
    collection: {
      treasury: addressAt(treasury, `${member}.treasury`),
      limits: listAt(limits, `${member}.limits`, ({ token, perDay }, at) => ({
        token: addressAt(token, `${at}.token`),
        perDay: textAt(perDay, `${at}.perDay`, DAY_LIMIT, 'an amount in the smallest unit'),
      })),
    },
  };
};

const planAt = (value: unknown): SafePlan => {
  const given = objectAt(value, 'plan');
  const address = (name: string) => addressAt(given[name], `plan.${name}`);
  const delay = objectAt(given.delay, 'plan.delay');
  const accountId = textAt(lowerCase(given.accountId), 'plan.accountId', UUID, 'a UUID');
  const signature = lowerCase(given.setUpSignature);
  const plan: SafePlan = {
    chainId: numberAt(given.chainId, 'plan.chainId'),
    accountId,
    owner: address('owner'),
    ...(given.firstOwner === undefined ? {} : { firstOwner: address('firstOwner') }),
    platform: address('platform'),
    safe: address('safe'),
    module: address('module'),
    delay: {
      cooldownSeconds: numberAt(delay.cooldownSeconds, 'plan.delay.cooldownSeconds'),
      expirationSeconds: numberAt(delay.expirationSeconds, 'plan.delay.expirationSeconds'),
      mastercopy: addressAt(delay.mastercopy, 'plan.delay.mastercopy'),
    },
    ...collectionAt(given.collection, 'plan.collection'),
    ...(signature === undefined
      ? {}
      : { setUpSignature: textAt(signature, 'plan.setUpSignature', SIGNATURE, 'a signature in hexadecimal') }),
  };
  const first = plan.firstOwner ?? plan.owner;
  const own = [[first], [first, plan.platform]].map((owners) => safeOf(accountId, owners));
  if (!own.some((safe) => safe === plan.safe)) fail('plan.safe', 'the Safe of this account and its owners');
  if (delayModuleOf(plan.safe, plan.delay) !== plan.module) fail('plan.module', 'the Delay module of this Safe');
  return plan;
};

/**
 * Reads the file that `leaveFileOf` has made. Whoever had it meanwhile may have changed it, and what it says becomes part of what the wallet signs: so it holds addresses
 * and numbers alone, and the addresses of Safe and module follow from the others (EIP-1014).
 * @throws Error that names the member, without its value
 */
export const readLeaveFile = (text: string): LeaveFile => {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    throw new Error("This is not an account's file.");
  }
  const { plan, tokens } = objectAt(given, 'the file');
  return {
    plan: planAt(plan),
    tokens: listAt(tokens, 'tokens', ({ token, contract }, at) => ({
      token: textAt(token, `${at}.token`, SYMBOL, 'a symbol'),
      contract: addressAt(contract, `${at}.contract`),
    })),
  };
};

/** An address that a person has entered. @throws Error without the text, when its checksum (EIP-55) is wrong as well */
const entered = (text: string, name: string): string => {
  if (!isChecked(text, { strict: true }))
    throw new Error(`${name} must be an address: 0x and 40 hex digits, as they were copied (EIP-55).`);
  return text.toLowerCase();
};

/**
 * The tokens and the receiver of `moveEverything`, as a person has entered them.
 * @param more contracts of further tokens
 * @throws Error that names what is wrong, without its value
 */
export const enteredMove = ({ plan, tokens }: LeaveFile, to: string, more: readonly string[]): { tokens: string[]; to: string } => {
  const all = [...tokens.map(({ contract }) => contract), ...more.map((token) => entered(token, 'A token'))];
  const receiver = entered(to, 'The receiver');
  if ([plan.safe, plan.module, ...all].includes(receiver) || BigInt(receiver) === 0n)
    throw new Error('The receiver must be an address of yours, not the Safe, its module or a token.');
  return { tokens: all, to: receiver };
};
