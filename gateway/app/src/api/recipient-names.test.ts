import { afterEach, expect, test } from 'vitest';
import { forgetWallet, keepWallet } from '../wallet/chosen-wallet.ts';
import { forgetRecipientNames, nameRecipient, recipientNames } from './recipient-names.ts';

const OWN = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const OTHER = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';
const TO = '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB';

const namesOf = (address: string | undefined) => {
  if (address === undefined) forgetWallet();
  else keepWallet({ rdns: 'org.example', address });
  return recipientNames();
};

const nameWith = (address: string | undefined, name: string): void => {
  namesOf(address);
  nameRecipient(TO, name);
};

afterEach(() => {
  namesOf(undefined);
  for (const address of [undefined, OWN, OTHER]) forgetRecipientNames(address);
});

test('each wallet has names of its own, which stay after a sign-out', () => {
  nameWith(OWN, 'Ada');
  expect(namesOf(OTHER).size).toBe(0);
  forgetWallet();
  expect([...namesOf(OWN.toLowerCase())]).toEqual([[TO.toLowerCase(), 'Ada']]);
});

test('an empty name takes the name away', () => {
  nameWith(OWN, 'Ada');
  nameWith(OWN, '');
  expect(recipientNames().size).toBe(0);
});

test('forgets the names of one wallet, and of no other', () => {
  nameWith(OWN, 'Ada');
  nameWith(OTHER, 'Grace');
  nameWith(undefined, 'Edsger');
  namesOf(OTHER);
  forgetRecipientNames(OTHER.toLowerCase());
  expect([OWN, OTHER, undefined].map((address) => namesOf(address).get(TO.toLowerCase()))).toEqual(['Ada', undefined, 'Edsger']);
  // As after a reload in which the choice of the wallet was lost.
  namesOf(undefined);
  forgetRecipientNames();
  expect(recipientNames().size).toBe(0);
  forgetRecipientNames(OWN);
  expect([OWN, undefined].map((address) => namesOf(address).get(TO.toLowerCase()))).toEqual([undefined, undefined]);
});
