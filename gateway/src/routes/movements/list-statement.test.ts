import { timestampDate } from '@bufbuild/protobuf/wkt';
import { PaymentKind } from '@florin/proto/card/v1/payment';
import { StatementLineKind } from '@florin/proto/ledger/v1/statement_service';
import { CodedError } from '@florin/rpc/errors';
import { waitFor } from '@florin/rpc/testing';
import { pause } from '@florin/rpc/time';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { fakeAnswers } from '../../testing/fake-answers.ts';
import { cardPayment } from '../../testing/fake-records.ts';
import { startTestGateway, type TestGateway } from '../../testing/start-gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterEach(() => gateway.fakes.reset());
afterAll(() => gateway.close());

const DISPUTE_ID = '01890a5d-ac96-774b-bcce-b302099a80d1';

const ask = (query = '', accept?: string) =>
  gateway.ask(`GET /user/statement${query}`, { token: gateway.userToken, ...(accept === undefined ? {} : { headers: { accept } }) });
const requests = () => gateway.fakes.calls.filter(({ rpc }) => rpc === 'listStatement').map(({ request }) => request);

const lines = () =>
  (fakeAnswers['listStatement']?.() as { lines?: object[] } | undefined)?.lines ?? expect.fail('there are no canned lines');

describe('JSON', () => {
  it('has pages with amounts in the smallest unit', async () => {
    gateway.fakes.stub('listStatement', () => ({ lines: lines(), page: { nextCursor: 'next' } }));
    const answer = await ask('?limit=2&cursor=c');
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      data: [
        {
          kind: 'card_payment',
          cardTransactionId: cardPayment.id,
          merchant: { name: 'Bookshop', country: 'DE' },
          token: 'EURe',
          decimals: 18,
          currency: 'EUR',
          amount: '-1500000000000000001',
          balanceAfter: '500000000000000000',
        },
        { kind: 'deposit', txHash: expect.stringMatching(/^0x/), createdAt: '2026-01-31T12:00:00.123Z' },
      ],
      pagination: { nextCursor: 'next', hasNext: true },
    });
    expect((answer.body as { data: object[] }).data[0]).not.toHaveProperty('txHash');
    expect(requests()).toMatchObject([{ page: { limit: 2, cursor: 'c' } }]);
    expect(answer.headers.get('vary')).toContain('Accept');
  });

  it('has the lines that the filters let through, in JSON and CSV', async () => {
    const kindsOf = async (query: string) => ((await ask(query)).body as { data: { kind: string }[] }).data.map(({ kind }) => kind);
    expect(await kindsOf('?kind=deposit')).toEqual(['deposit']);
    expect(await kindsOf('?token=EURe&currency=EUR')).toEqual(['card_payment', 'deposit']);
    expect(await kindsOf('?token=GBPe')).toEqual([]);
    expect(await kindsOf('?currency=USD')).toEqual([]);
    expect((await ask('?kind=card_payment', 'text/csv')).text.trim().split('\r\n')).toHaveLength(2);
    expect(await ask('?kind=refund')).toMatchObject({ status: 422 });
  });

  const PAYMENT_KINDS = { payment: PaymentKind.PAYMENT, refund: PaymentKind.REFUND, credit: PaymentKind.CREDIT };

  it.each<[string, keyof typeof PAYMENT_KINDS | 'none', string, string, string]>([
    ['disputes', 'payment', '5', 'dispute_credit', 'Dispute credit: Bookshop'],
    ['disputes', 'payment', '-5', 'dispute_reversal', 'Dispute credit taken back: Bookshop'],
    ['settlement', 'payment', '5', 'card_refund', 'Card refund: Bookshop'],
    ['settlement', 'payment', '-5', 'card_refund', 'Card refund taken back: Bookshop'],
    ['settlement', 'refund', '5', 'card_refund', 'Card refund: Bookshop'],
    ['settlement', 'refund', '-5', 'card_refund', 'Card refund taken back: Bookshop'],
    ['settlement', 'credit', '5', 'card_credit', 'Card credit: Bookshop'],
    ['settlement', 'none', '5', 'adjustment', 'Adjustment'],
    ['fees', 'none', '-5', 'fee', 'Fee'],
    ['', 'none', '5', 'transfer', 'Transfer'],
  ])('says what a transfer with %j is, for a card transaction: %s, of %s: %s', async (counterparty, of, amount, kind, description) => {
    const [line] = lines();
    gateway.fakes.stub('listStatement', () => ({ lines: [{ ...line, kind: StatementLineKind.TRANSFER, counterparty, amount }] }));
    gateway.fakes.stub('findPayments', ({ references }: { references: string[] }) =>
      of === 'none'
        ? {}
        : {
            payments: [{ ...cardPayment, kind: PAYMENT_KINDS[of], dispute: { id: DISPUTE_ID } }],
            paymentIds: Object.fromEntries(references.map((reference) => [reference, cardPayment.id])),
          },
    );
    const { data } = (await ask()).body as { data: object[] };
    const ofPayment = { cardTransactionId: cardPayment.id, merchant: { name: 'Bookshop' } };
    expect(data).toMatchObject([{ kind, description, ...(of === 'none' ? {} : ofPayment) }]);
    if (of === 'none') expect(data[0]).not.toHaveProperty('merchant');
    expect((data[0] as { disputeId?: string }).disputeId).toBe(counterparty === 'disputes' ? DISPUTE_ID : undefined);
    const [, row = ''] = (await ask('', 'text/csv')).text.split('\r\n');
    expect(row).toContain(`,${kind},`);
    expect(row).toContain(`,${description},${of === 'none' ? '' : cardPayment.id},${counterparty === 'disputes' ? DISPUTE_ID : ''},`);
  });

  it.each(['*/*', 'application/json, text/csv', 'text/csv;q=0.5, application/json', 'text/html', 'image/png'])(
    'is the response to Accept: %s',
    async (accept) => {
      expect((await ask('', accept)).headers.get('content-type')).toContain('application/json');
    },
  );

  it.each([
    ['?from=2026-01-05&to=2026-01-31', '2026-01-05T00:00:00.000Z', '2026-02-01T00:00:00.000Z'],
    ['?from=2026-01-05T10:00:00Z&to=2026-01-05T12:30:00.5%2B02:00', '2026-01-05T10:00:00.000Z', '2026-01-05T10:30:00.500Z'],
    ['?to=2026-01-31', undefined, '2026-02-01T00:00:00.000Z'],
    ['?from=2026-01-31&to=2026-01-31', '2026-01-31T00:00:00.000Z', '2026-02-01T00:00:00.000Z'],
    ['', undefined, undefined],
  ])('accepts the period %s', async (query, from, to) => {
    expect((await ask(query)).status).toBe(200);
    const [request] = requests();
    expect([request.from && timestampDate(request.from).toISOString(), request.to && timestampDate(request.to).toISOString()]).toEqual([
      from,
      to,
    ]);
  });

  it.each(['from=2026-02-01&to=2026-01-31', 'from=2026-01-01T00:00:00.001Z&to=2026-01-01T00:00:00Z'])(
    'rejects the reversed period %s',
    async (query) => {
      const answer = await ask(`?${query}`);
      expect(answer).toMatchObject({ status: 422, body: { kind: 'validation', error: { message: 'from: must not be later than to' } } });
      expect(await ask(`?${query}`, 'text/csv')).toMatchObject({ status: 422 });
      expect(requests()).toEqual([]);
    },
  );

  it.each(['from=yesterday', 'to=2026-13-01', 'from=2026-02-30', 'from=2026-01-01T00:00:00', 'from=', 'from=1&from=2'])(
    'rejects the period %s',
    async (query) => {
      expect(await ask(`?${query}`)).toMatchObject({ status: 422, body: { kind: 'validation' } });
      expect(await ask(`?${query}`, 'text/csv')).toMatchObject({ status: 422, body: { kind: 'validation' } });
    },
  );
});

describe('a card transaction in another currency', () => {
  const POSTING_ID = '01890a5d-ac96-774b-bcce-b302099a8057';
  const abroad = {
    ...{ amount: '10000', currency: 'USD', decimals: 2 },
    fx: { rate: '0.9', markupBasisPoints: 100, rateDate: '2026-01-30', markupAmount: '90' },
    conversionCost: { referenceRate: '0.89', referenceDate: '2026-01-30', overReferenceBasisPoints: 213 },
  };

  it('has the mark-up of the line by itself and the comparison with the reference rate, in the list and in the table', async () => {
    const [line] = lines();
    gateway.fakes.stub('listStatement', () => ({ lines: [{ ...line, postingId: POSTING_ID }, line] }));
    gateway.fakes.stub('findPayments', (request: { references: string[] }) => ({
      payments: [cardPayment],
      paymentIds: Object.fromEntries(request.references.map((reference) => [reference, cardPayment.id])),
      foreignAmounts: { [POSTING_ID]: abroad },
    }));
    const { amount: originalAmount, currency: originalCurrency, decimals: originalDecimals, ...foreign } = abroad;
    const { data } = (await ask()).body as { data: object[] };
    expect(data).toMatchObject([{ foreign: { originalAmount, originalCurrency, originalDecimals, decimals: 2, ...foreign } }, {}]);
    expect(data[1]).not.toHaveProperty('foreign');
    expect((await ask('', 'text/csv')).text.split('\r\n')[1]).toMatch(
      /,Bookshop,100\.00,USD,0\.9,0\.90,0\.89,2026-01-30,213,Card payment: Bookshop,/,
    );
  });
});

describe('CSV', () => {
  it('is a table of the whole period with decimal amounts', async () => {
    gateway.fakes.stub('listStatement', ({ page }: { page: { cursor: string } }) =>
      page.cursor === '' ? { lines: lines(), page: { nextCursor: 'more' } } : { lines: lines().slice(1) },
    );
    const answer = await ask('?from=2026-01-01&limit=1&cursor=x', 'text/csv');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="statement-2026-01-01.csv"');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('vary')).toContain('Accept');
    const [header, first, ...rest] = answer.text.split('\r\n');
    expect(header).toBe(
      'id,createdAt,kind,reference,txHash,token,currency,amount,balanceAfter,merchant,originalAmount,originalCurrency,exchangeRate,markup,referenceRate,referenceDate,overReferenceBasisPoints,description,cardTransactionId,disputeId,debtRepaid,debtIncurred',
    );
    expect(first).toMatch(
      /,2026-01-31T12:00:00\.123Z,card_payment,[0-9a-f-]{36},,EURe,EUR,-1\.500000000000000001,0\.50,Bookshop,,,,,,,,Card payment: Bookshop,[0-9a-f-]{36},,,$/,
    );
    expect(rest).toHaveLength(3);
    expect(rest[1]).toBe(rest[0]);
    expect(rest[2]).toBe('');
    expect(requests().map(({ page }) => page.cursor)).toEqual(['', 'more']);
    expect(requests()[1].from).toEqual(requests()[0].from);
  });

  it('is an error response if the first page fails', async () => {
    gateway.refuse('listStatement', 'SERVICE_UNAVAILABLE');
    expect(await ask('', 'text/csv')).toMatchObject({ status: 503, body: { success: false, error: 'SERVICE_UNAVAILABLE' } });
  });

  it('breaks off if a later page fails, so that no client takes a part for the table', async () => {
    gateway.fakes.stub('listStatement', ({ page }: { page: { cursor: string } }) => {
      if (page.cursor !== '') throw new CodedError('SERVICE_UNAVAILABLE');
      return { lines: lines(), page: { nextCursor: 'more' } };
    });
    await expect(ask('', 'text/csv')).rejects.toThrow();
    gateway.fakes.reset();
    expect((await ask('', 'text/csv')).status).toBe(200);
  });

  /** An endless statement: a reader decides how much of it is read. */
  const stubEndless = () => {
    const page = Array.from({ length: 100 }, () => lines()[0]);
    gateway.fakes.stub('listStatement', () => ({ lines: page, page: { nextCursor: 'more' } }));
  };

  const open = async () => {
    const controller = new AbortController();
    const response = await fetch(`${gateway.app.url}/user/statement`, {
      headers: { accept: 'text/csv', authorization: `Bearer ${gateway.userToken}` },
      signal: controller.signal,
    });
    return { reader: response.body?.getReader() ?? expect.fail(), hangUp: () => controller.abort() };
  };

  const settledCount = () =>
    waitFor('the reading to pause', async () => {
      const seen = requests().length;
      await pause(200);
      return seen === requests().length ? seen : undefined;
    });

  it('is read no faster than it is sent, and no further after the client disconnects', async () => {
    stubEndless();
    const { reader, hangUp } = await open();
    await reader.read();
    // The sockets of both sides hold some megabytes; the statement is endless.
    await settledCount();
    expect((await ask('')).status).toBe(200);
    hangUp();
    await settledCount();
    gateway.fakes.reset();
    await waitFor('the slot to be free again', async () => ((await ask('', 'text/csv')).status === 200 ? true : undefined));
  });

  it('is made once at a time for a caller', async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    gateway.fakes.stub('listStatement', async () => {
      await held;
      return { lines: lines() };
    });
    const first = ask('', 'text/csv');
    await waitFor('the call', async () => (requests().length > 0 ? true : undefined));
    const second = await ask('', 'text/csv');
    expect(second).toMatchObject({ status: 429, body: { success: false, error: 'RATE_LIMITED' } });
    expect(second.headers.get('retry-after')).toBe('5');
    release();
    expect((await first).status).toBe(200);
    expect((await ask('', 'text/csv')).status).toBe(200);
    gateway.refuse('listStatement', 'SERVICE_UNAVAILABLE');
    expect((await ask('', 'text/csv')).status).toBe(503);
    expect((await ask('', 'text/csv')).status).toBe(503);
  });

  it('is documented', async () => {
    const { body } = await gateway.ask('GET /openapi.json');
    const { content } = (body as { paths: Record<string, { get: { responses: Record<string, { content: object }> } }> }).paths[
      '/user/statement'
    ]?.get.responses['200'] ?? { content: {} };
    expect(Object.keys(content)).toEqual(['application/json', 'text/csv']);
  });
});
