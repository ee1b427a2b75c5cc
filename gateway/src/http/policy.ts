import type { ServiceCaller, UserCaller, WalletCaller } from '@florin/rpc/auth';
import type { PageSession } from './page-session.ts';

/**
 * Who may call a route: anyone, a signed-in wallet (registered or not), a registered user, a server of a partner, or a page of this gateway's own
 * origin, whose session a cookie keeps.
 */
export const POLICIES = ['public', 'wallet', 'user', 'partner', 'page'] as const;
export type Policy = (typeof POLICIES)[number];

/** A server of a partner. */
export type PartnerCaller = ServiceCaller & { partnerId: string };

/** Everyone who may call a route with a token. */
export type TokenCaller = WalletCaller | PartnerCaller;

type Callers = { public: undefined; wallet: WalletCaller; user: UserCaller; partner: PartnerCaller; page: PageSession };

/** Reports whether a policy requires a token. */
export const needsToken = (policy: Policy): boolean => policy !== 'public' && policy !== 'page';

export type CallerOf<P extends Policy> = Callers[P];
