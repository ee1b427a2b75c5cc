import { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { ACCESS_WORDS, thumbprint } from '../../schemas/card-data.ts';
import { address, dateTime, id, toIso, toWord } from '../../schemas/fields.ts';
import { pageQuery, pagination, toPageRequest, toPagination } from '../../schemas/page.ts';

const access = z
  .object({
    id,
    cardId: id,
    last4: z.string().regex(/^\d{4}$/),
    action: z.enum(Object.values(ACCESS_WORDS)).meta({ description: '`seal`: the data was encrypted for the card processor' }),
    wallet: address.optional().meta({ description: 'The wallet that signed; absent for `seal`' }),
    thumbprint,
    at: dateTime,
  })
  .meta({ id: 'CardDataAccess' });

export const listCardDataAccess = defineRoute({
  operationId: 'listCardDataAccess',
  method: 'get',
  path: '/pci/access-log',
  tag: 'PCI',
  summary: 'List uses of card data',
  description: "Returns when the data of the caller's cards was shown or changed, by which wallet and for which key, newest first.",
  policy: 'user',
  query: pageQuery,
  answers: { 200: z.object({ data: z.array(access), pagination }) },
  errors: [],
  handler: async ({ query }, { upstream, asCaller }) => {
    const { accesses, page } = await upstream.cardData.listCardDataAccess({ page: toPageRequest(query) }, asCaller);
    const data = accesses.map(({ wallet, action, at, id: accessId, cardId, last4, thumbprint: key }) => ({
      id: accessId,
      cardId,
      last4,
      action: toWord(ACCESS_WORDS, action),
      ...(wallet === '' ? {} : { wallet }),
      thumbprint: key,
      at: toIso(at),
    }));
    return { data, pagination: toPagination(page) };
  },
});
