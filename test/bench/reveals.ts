import { canonicalSignature } from '@florin/evm/signatures';
import { recoverMessageSigner } from '@florin/evm/typed-messages';
import type { Platform } from '@florin/local';
import { createApiClient } from '../support/api-client.ts';
import { createCardDataApp } from '../support/card-data.ts';
import { type Person, signTypedData, type TypedData } from '../support/story.ts';
import { percentile, type Row } from './row.ts';
import { sized } from './sized.ts';

const REVEALS = sized(300, 20);
const WARM_UP = sized(40, 4);

type Card = { person: Person; cardId: string };

/** Reveals of card data through the gateway, one after the other, and what the check of their signatures alone takes. */
export const benchReveals = async (platform: Platform, cards: readonly Card[], report: (line: string) => void): Promise<Row[]> => {
  report('reveals');
  const api = createApiClient(platform.urls.gateway);
  const apps = await Promise.all(cards.slice(0, 8).map(async (card) => ({ card, app: await createCardDataApp(api, card.person) })));
  const [reveals, checks]: [number[], number[]] = [[], []];
  for (let count = 0; count < WARM_UP + REVEALS; count += 1) {
    const one = apps[count % apps.length];
    if (one === undefined) throw new Error('there is no card');
    const { card, app } = one;
    const query = new URLSearchParams({ action: 'view-details', thumbprint: app.thumbprint });
    const typedData = await api.call<TypedData>('GET', `/pci/cards/${card.cardId}/challenge?${query}`, { token: card.person.token });
    const signature = await signTypedData(card.person.wallet, typedData);
    const body = { action: 'view-details', signature, key: app.key };
    const sent = performance.now();
    await api.call('POST', `/pci/cards/${card.cardId}/reveal`, { token: card.person.token, body });
    const answered = performance.now();
    const canonical = canonicalSignature(signature);
    if (canonical === undefined) throw new Error('the signature is not canonical');
    const { domain, message } = typedData;
    await recoverMessageSigner({ ...message, domainName: domain.name, domainVersion: domain.version, chainId: domain.chainId }, canonical);
    if (count < WARM_UP) continue;
    reveals.push(answered - sent);
    checks.push(performance.now() - answered);
  }
  const [p99, checkP99] = [percentile(reveals, 0.99), percentile(checks, 0.99)];
  return [
    { name: 'reveal p99', value: p99, unit: 'ms' },
    { name: 'signature check p99', value: checkP99, unit: 'ms' },
    { name: 'reveal p99 above its signature check', value: p99 - checkP99, unit: 'ms' },
  ];
};
