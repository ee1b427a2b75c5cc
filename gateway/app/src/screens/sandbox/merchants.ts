/** Shops of the sandbox, with prices as they are typed: whole numbers of the minor unit. */
export const MERCHANTS = [
  { id: 'SANDBOX-1', name: 'Bookshop', city: 'Hamburg', country: 'DE', categoryCode: '5942', price: '4999' },
  { id: 'SANDBOX-2', name: 'Green Grocer', city: 'Wien', country: 'AT', categoryCode: '5411', price: '1245' },
  { id: 'SANDBOX-3', name: 'Cinema Lumière', city: 'Lyon', country: 'FR', categoryCode: '7832', price: '1150' },
  { id: 'SANDBOX-4', name: 'Night Train', city: 'Zürich', country: 'CH', categoryCode: '4112', price: '8900' },
] as const;

export type Merchant = (typeof MERCHANTS)[number];
