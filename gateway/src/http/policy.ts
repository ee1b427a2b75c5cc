import type { UserCaller, WalletCaller } from '@florin/rpc/auth';

/** Who may call a route: anyone, a signed-in wallet (registered or not), or a registered user. */
export type Policy = 'public' | 'wallet' | 'user';

export type CallerOf<P extends Policy> = P extends 'public' ? undefined : P extends 'wallet' ? WalletCaller : UserCaller;
