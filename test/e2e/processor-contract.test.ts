import { CheckResult } from '@florin/proto/card/v1/payment';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CardHolder, createCardHolder } from '../support/card-holder.ts';
import { type CardNetwork, connectCardNetwork } from '../support/card-network.ts';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';

let platform: PlatformInProcess;
let network: CardNetwork;
let person: CardHolder;
beforeAll(async () => {
  platform = await startPlatformInProcess({
    CARD_RANGES: JSON.stringify([{ prefix: '52000077', network: 'mastercard' }]),
    CARD_PROGRAM: JSON.stringify({ authenticationFrom: '3000' }),
  });
  network = connectCardNetwork(platform.urls['CARD_URL'] ?? '', platform.operatorKey);
  person = await createCardHolder(platform, network, 100_000);
});
afterAll(async () => {
  await network?.close();
  await platform?.close();
});

describe('a card of Mastercard', () => {
  it("is declined with Mastercard's codes, and with the same ones when the request is repeated or read", async () => {
    const payment = person.payment();
    const event = payment.event();
    const declined = await payment.authorize(5000, { event });
    expect(declined).toMatchObject({ responseCode: '65', declineReason: { code: 'authentication_required' } });
    expect(await payment.authorize(5000, { event })).toEqual(declined);
    const read = await network.payments.getPayment({ paymentId: declined.paymentId });
    expect(read.payment?.events).toMatchObject([{ responseCode: '65' }]);
    const wrong = await person.payment().authorize(1000, { checks: { securityCode: CheckResult.INCORRECT } });
    expect(wrong).toMatchObject({ responseCode: '05', declineReason: { code: 'security_code_incorrect' } });
  });
});
