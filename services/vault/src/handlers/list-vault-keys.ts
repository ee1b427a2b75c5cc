import type { ListVaultKeysRequest } from '@florin/proto/vault/v1/card_data_service';
import { publicMethod } from '@florin/rpc/server';
import type { Dependencies } from './dependencies.ts';

/** Publishes the key to which apps and adapters encrypt. */
export const listVaultKeys = ({ keys }: Dependencies) =>
  publicMethod((_request: ListVaultKeysRequest) => ({ jwksJson: JSON.stringify({ keys: [keys.exchange.published] }) }));
