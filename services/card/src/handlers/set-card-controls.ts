import type { SetCardControlsRequest } from '@florin/proto/card/v1/payment_service';
import type { ControlList as WireList } from '@florin/proto/card/v1/spending';
import { requireFields, stated } from '@florin/rpc/contract';
import { collapseSpaces, merchantTextProblem } from '@florin/rpc/fields';
import { userMethod } from '@florin/rpc/server';
import { seriesOf } from '../domain/card.ts';
import { type CardControls, type ControlList, type NewControls, opens } from '../domain/card-controls.ts';
import { isCategoryCode } from '../domain/card-merchant.ts';
import { controlsChange } from '../domain/change-facts.ts';
import { type Spending, spendingNow } from '../domain/spending.ts';
import { changeWithApproval } from './change-with-approval.ts';
import type { Dependencies } from './dependencies.ts';
import { findOwnCard } from './own-card.ts';
import { toWireControls } from './to-wire-spending.ts';

type Lists = { [name in 'categories' | 'countries' | 'merchants']?: WireList | undefined };

const asGiven = (text: string): string => text;

/** The values of each list: their canonical spelling, and the problem of one that the list does not have. */
const VALUES: Readonly<Record<keyof Lists, [(text: string) => string, (text: string) => string | undefined]>> = {
  categories: [asGiven, (code) => (isCategoryCode(code) ? undefined : 'must be a merchant category code of ISO 18245')],
  countries: [asGiven, (code) => (/^[A-Z]{2}$/.test(code) ? undefined : 'must be an ISO 3166-1 alpha-2 code')],
  merchants: [collapseSpaces, (id) => (id === '' || [...id].length > 35 ? 'must have 1 to 35 characters' : merchantTextProblem(id))],
};

/** Reads the lists of the controls: each value once, in order. @throws CodedError VALIDATION_FAILED */
const readLists = (lists: Lists) => {
  const problems: Record<string, string | undefined> = {};
  const read = (name: keyof Lists, side: 'allow' | 'deny'): string[] => {
    const [canonical, problemOf] = VALUES[name];
    const values = (lists[name]?.[side] ?? []).map(canonical);
    values.forEach((value, at) => {
      problems[`controls.${name}.${side}[${at}]`] = problemOf(value);
    });
    return [...new Set(values)].sort();
  };
  const listOf = (name: keyof Lists) => ({ allow: read(name, 'allow'), deny: read(name, 'deny') });
  const found = { categories: listOf('categories'), countries: listOf('countries'), merchants: listOf('merchants') };
  requireFields(problems);
  return found;
};

/** The switches by the names of their fields in the contract. */
const SWITCH_OF = { online_off: 'onlineOff', contactless_off: 'contactlessOff', atm_off: 'atmOff' } as const;

/** The controls with the given values of the fields that are named, and their own of all others. */
const changeNamed = (current: NewControls, given: NewControls, named: readonly string[]): NewControls => {
  const list = (name: keyof Lists): ControlList => {
    const side = (which: 'allow' | 'deny') => (named.includes(`${name}.${which}`) ? given : current)[name]?.[which] ?? [];
    return { allow: side('allow'), deny: side('deny') };
  };
  const off = (name: keyof typeof SWITCH_OF) => (named.includes(name) ? given : current)[SWITCH_OF[name]] ?? false;
  return {
    categories: list('categories'),
    countries: list('countries'),
    merchants: list('merchants'),
    onlineOff: off('online_off'),
    contactlessOff: off('contactless_off'),
    atmOff: off('atm_off'),
    singleUse: (named.includes('single_use') ? given : current).singleUse,
  };
};

/** The controls of a card once it has those that are asked for, all of them or the ones that are named. Single use goes on since it was set first. */
const controlsAfter = (current: Spending, given: NewControls, named: readonly string[], now: Date): CardControls => {
  const { singleUseFrom, ...rest } = current.controls;
  const asked = named.length === 0 ? given : changeNamed({ ...rest, singleUse: singleUseFrom !== undefined }, given, named);
  const { singleUse, ...controls } = asked;
  return singleUse ? { ...controls, singleUseFrom: singleUseFrom ?? spendingNow(current, now) } : controls;
};

/** The controls that a request gives. @throws CodedError VALIDATION_FAILED */
export const readNewControls = (request: Pick<SetCardControlsRequest, 'controls'>): NewControls => {
  const { onlineOff, contactlessOff, atmOff, singleUse, ...lists } = stated(request.controls);
  return { ...readLists(lists), onlineOff, contactlessOff, atmOff, singleUse };
};

/**
 * Replaces the controls of a card, or those that the request names. Permitting what they did not permit requires a recent sign-in and the signature of a
 * wallet, and is told to the user.
 */
export const setCardControls = (dependencies: Dependencies) =>
  userMethod(async (request: SetCardControlsRequest, call) => {
    const { changed, approval } = request;
    const given = readNewControls(request);
    const card = await findOwnCard(dependencies.cards, request.cardId, call.caller);
    const set = (mayOpen: boolean): Promise<CardControls | undefined> =>
      dependencies.book.change(seriesOf(card), (current) => {
        const controls = controlsAfter(current, given, changed, dependencies.runtime.now());
        return mayOpen || !opens(current.controls, controls)
          ? { spending: { ...current, controls }, result: controls }
          : { spending: current, result: undefined };
      });
    const change = { ...controlsChange(changed, given), approval, use: 'set', notice: { kind: 'CONTROLS_OPENING' } } as const;
    const controls = await changeWithApproval(dependencies, card, { ...change, attempt: () => set(false), make: () => set(true) }, call);
    return { controls: toWireControls(stated(controls)) };
  });
