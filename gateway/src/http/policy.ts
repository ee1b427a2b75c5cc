import type { ServiceCaller, UserCaller, WalletCaller } from '@florin/rpc/auth';

/** Who may call a route: anyone, a signed-in wallet (registered or not), a registered user, or a server of a partner. */
export type Policy = 'public' | 'wallet' | 'user' | 'partner';

/** A server of a partner. */
export type PartnerCaller = ServiceCaller & { partnerId: string };

/** Everyone who may call a route with a token. */
export type TokenCaller = WalletCaller | PartnerCaller;

type Callers = { public: undefined; wallet: WalletCaller; user: UserCaller; partner: PartnerCaller };

export type CallerOf<P extends Policy> = Callers[P];
