import { OnboardingStep } from '@florin/proto/identity/v1/onboarding_service';
import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { tokenBlock, toTokenBlock } from '../../schemas/account.ts';
import { amount, currency, decimals, token } from '../../schemas/fields.ts';
import { wordsOf } from '../../schemas/words.ts';

const step = wordsOf(OnboardingStep);

const LIMIT_NAMES = ['perTransaction', 'daily', 'weekly', 'monthly', 'atm'] as const;

const perMinute = z.int().min(1);

const capabilities = z
  .object({
    sandbox: z.boolean().meta({ description: 'True if outside systems are simulated and no real money moves' }),
    onboarding: z.array(z.enum([...step.schema.options, 'phone', 'safe'])).meta({
      description:
        'Steps of a new user: `terms`, `kyc` and `source_of_funds` before the account is active, `phone` (a number that a code has verified) before the first card, `safe` (a Safe that is deployed and verified) before the account is active. Empty: nothing',
    }),
    wallets: z.array(z.enum(['eoa', 'safe'])).meta({ description: 'Wallets that can sign in: plain ones, and contracts (EIP-1271)' }),
    withdrawals: z.boolean().meta({ description: 'True if accounts have Safes on the chain, from which users withdraw with a signature' }),
    tokens: z.array(
      z.object({
        token,
        decimals,
        currency,
        contract: z.string().optional().meta({ description: 'Address of the token on the chain, in lower case' }),
      }),
    ),
    tokenBlocks: z.array(tokenBlock).meta({ description: 'Tokens that no account can spend at the moment' }),
    currencies: z.array(currency).meta({ description: 'Currencies of accounts, the native one first' }),
    chain: z.object({ id: z.string().meta({ description: 'EIP-155 id in decimal digits', examples: ['100'] }), name: z.string() }),
    limits: z.object({
      cards: z.int().meta({ description: 'Most cards that a user has at a time; replacements do not count' }),
      requestsPerMinute: z.object({
        caller: perMinute.meta({ description: 'Requests of a user or wallet' }),
        signIn: perMinute.meta({ description: 'Sign-ins, codes and registrations of an IP address' }),
      }),
      payments: z
        .object({
          currency,
          perTransaction: amount.optional(),
          daily: amount.optional(),
          weekly: amount.optional(),
          monthly: amount.optional(),
          atm: amount.optional(),
        })
        .meta({
          description: 'Most that a cardholder can allow a card, in the minor unit of the currency; one that is absent does not exist',
        }),
    }),
    notifications: z
      .object({ publicKey: z.string().optional().meta({ description: 'Key of Web Push (VAPID, RFC 8292), for `pushManager.subscribe`' }) })
      .optional()
      .meta({ description: 'Absent: nobody is notified. Without a key there are mails only' }),
    support: z.object({ url: z.string().optional(), email: z.string().optional() }).meta({ description: 'Where people get help' }),
  })
  .meta({ id: 'Capabilities' });

export const getCapabilities = defineRoute({
  operationId: 'getCapabilities',
  method: 'get',
  path: '/capabilities',
  tag: 'Health',
  summary: 'Get what this deployment requires and offers',
  description: 'The same for every caller, so that an app can show the steps of onboarding, tokens and limits before anybody signs in.',
  policy: 'public',
  publicForSeconds: 60,
  answers: { 200: capabilities },
  errors: [],
  handler: async (_input, { upstream, asGateway, deployment }) => {
    const { notifications } = upstream;
    const [requirements, program, assets, pushKey] = await Promise.all([
      asGateway((options) => upstream.onboarding.getRequirements({}, options)),
      asGateway((options) => upstream.cards.getProgram({}, options)),
      asGateway((options) => upstream.balances.getAssets({}, options)),
      // Everything else is known without it.
      notifications && asGateway((options) => notifications.getPushKey({}, options)).catch(() => undefined),
    ]);
    const limits = LIMIT_NAMES.map((name) => [name, program.limits?.[name] ?? ''] as const).filter(([, limit]) => limit !== '');
    return {
      sandbox: deployment.sandbox,
      onboarding: [
        ...requirements.steps.map(step.toWord),
        ...(program.phoneVerified ? ['phone' as const] : []),
        ...(assets.safeRequired ? ['safe' as const] : []),
      ],
      wallets: ['eoa' as const, ...(requirements.contractWallets ? ['safe' as const] : [])],
      withdrawals: upstream.safeWithdrawals !== undefined,
      tokens: assets.tokens.map(({ symbol, contract, ...rest }) => ({
        token: symbol,
        decimals: rest.decimals,
        currency: rest.currency,
        ...(contract === '' ? {} : { contract }),
      })),
      tokenBlocks: assets.tokenBlocks.map(toTokenBlock),
      currencies: assets.currencies,
      chain: { id: String(assets.chainId), name: assets.chainName },
      limits: {
        cards: program.maxCards,
        requestsPerMinute: deployment.requestsPerMinute,
        payments: { currency: program.currency, ...Object.fromEntries(limits) },
      },
      ...(pushKey === undefined ? {} : { notifications: pushKey.publicKey === '' ? {} : { publicKey: pushKey.publicKey } }),
      support: deployment.support,
    };
  },
});
