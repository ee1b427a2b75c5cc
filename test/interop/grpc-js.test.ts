import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { THREEDS_SCOPES } from '@florin/proto/threeds/v1/scopes';
import { serviceKeySchema, signServiceToken } from '@florin/rpc/auth';
import { type Client, credentials, loadPackageDefinition, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PlatformInProcess, startPlatformInProcess } from '../support/platform-in-process.ts';
import { createCard, registerPerson } from '../support/story.ts';

/** A platform service that uses grpc-js and the .proto files, without any code of Florin. */
const PROTO_ROOT = join(import.meta.dirname, '../../proto');

type Unary = (request: object, metadata: Metadata, callback: (error: ServiceError | null, reply: unknown) => void) => void;
type ClientConstructor = new (address: string, channelCredentials: ReturnType<typeof credentials.createInsecure>) => Client;

const connect = (packageName: string, service: string, file: string, url: string): Client => {
  const definition = loadPackageDefinition(loadSync(file, { includeDirs: [PROTO_ROOT], keepCase: false, enums: String, defaults: true }));
  const scope = packageName.split('.').reduce<unknown>((node, part) => (node as Record<string, unknown>)[part], definition);
  const Constructor = (scope as Record<string, ClientConstructor>)[service];
  if (Constructor === undefined) throw new Error(`no ${service}`);
  return new Constructor(url.replace('http://', ''), credentials.createInsecure());
};

const call = <T>(client: Client, method: string, request: object, token?: string): Promise<T> =>
  new Promise((resolve, reject) => {
    const metadata = new Metadata();
    if (token !== undefined) metadata.set('authorization', `Bearer ${token}`);
    const unary = (client as unknown as Record<string, Unary>)[method];
    unary?.call(client, request, metadata, (error, reply) => (error === null ? resolve(reply as T) : reject(error)));
  });

let platform: PlatformInProcess;
let challenges: Client;
let token: string;
beforeAll(async () => {
  platform = await startPlatformInProcess();
  challenges = connect(
    'florin.threeds.v1',
    'ChallengeService',
    'florin/threeds/v1/challenge_service.proto',
    platform.urls['THREEDS_URL'] ?? '',
  );
  token = await signServiceToken({
    key: serviceKeySchema.parse(platform.operatorKey),
    audience: 'threeds',
    scopes: [THREEDS_SCOPES.writeChallenges, THREEDS_SCOPES.readChallenges],
  });
});
afterAll(async () => {
  challenges?.close();
  await platform?.close();
});

describe('a plain grpc-js client', () => {
  it('creates, reads and cancels a challenge as an access control server does', async () => {
    const person = await registerPerson(platform.api);
    const cardId = await createCard(platform.api, person.token);
    const request = { reference: randomUUID(), cardId, amount: '1250', currency: 'EUR', decimals: 2, merchant: { displayName: 'Kiosk' } };
    type Reply = { challenge: { id: string; status: string; amount: string; decisionAvailable: boolean } };
    const { challenge } = await call<Reply>(challenges, 'createChallenge', request, token);
    expect(challenge).toMatchObject({ status: 'CHALLENGE_STATUS_PENDING', amount: '1250', decisionAvailable: true });

    expect((await call<Reply>(challenges, 'createChallenge', request, token)).challenge.id).toBe(challenge.id);
    await expect(call(challenges, 'createChallenge', { ...request, amount: '1' }, token)).rejects.toMatchObject({
      code: status.ALREADY_EXISTS,
    });

    const cancelled = await call<Reply>(challenges, 'cancelChallenge', { challengeId: challenge.id }, token);
    expect(cancelled.challenge.status).toBe('CHALLENGE_STATUS_CANCELLED');
    const seen = await platform.api.call('GET', `/3ds/challenges/${challenge.id}`, { token: person.token });
    expect(seen).toMatchObject({ challenge: { status: 'cancelled', decisionAvailable: false } });
  });

  it('receives gRPC status codes and error details', async () => {
    await expect(call(challenges, 'getChallenge', { challengeId: randomUUID() })).rejects.toMatchObject({ code: status.UNAUTHENTICATED });
    const error = await call(challenges, 'getChallenge', { challengeId: randomUUID() }, token).catch(
      (thrown: unknown) => thrown as ServiceError,
    );
    expect(error).toMatchObject({ code: status.NOT_FOUND });
    expect(String((error as ServiceError).metadata.get('grpc-status-details-bin')[0])).toContain('CHALLENGE_NOT_FOUND');
    await expect(call(challenges, 'getChallenge', { challengeId: 'x' }, token)).rejects.toMatchObject({ code: status.INVALID_ARGUMENT });
  });
});
