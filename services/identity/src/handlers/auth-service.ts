import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import {
  AuthService,
  type CreateSiweMessageRequest,
  type RefreshSessionRequest,
  type SignInRequest,
  SiwePurpose,
} from '@florin/proto/identity/v1/auth_service';
import { CodedError } from '@florin/rpc/errors';
import { implement, type ServiceImplementation, serviceMethod } from '@florin/rpc/server';
import { isUriOfDomain, type SiwePurpose as Purpose } from '../domain/siwe-message.ts';
import type { Dependencies } from './dependencies.ts';
import { ipOf } from './fields.ts';
import { toWireTokenPair } from './to-wire.ts';

const PURPOSE: Readonly<Record<SiwePurpose, Purpose>> = {
  [SiwePurpose.UNSPECIFIED]: 'sign_in',
  [SiwePurpose.SIGN_IN]: 'sign_in',
  [SiwePurpose.ADD_WALLET]: 'add_wallet',
};

const createSiweMessage = ({ siweMessages, chainId, partnerOf }: Dependencies) =>
  serviceMethod(async (request: CreateSiweMessageRequest) => {
    const { address, uri } = request;
    // Lower case, as browsers write the origins that wallets compare the domain with.
    const domain = request.domain.toLowerCase();
    const partner = partnerOf(domain);
    if (partner === undefined) throw new CodedError('DOMAIN_NOT_ALLOWED');
    if (!isUriOfDomain(uri, domain))
      throw new CodedError('VALIDATION_FAILED', { message: 'uri: must be an http or https URI on the domain' });

    const { message, expiresAt } = siweMessages.issue({
      purpose: PURPOSE[request.purpose] ?? 'sign_in',
      address,
      domain,
      uri,
      chainId,
      partnerName: partner.name,
    });
    return { message, expiresAt: timestampFromDate(expiresAt) };
  });

const USER_AGENT_LENGTH = 256;

/**
 * Opens a session for a signed message, once. A sign-in that fails gives its nonce back, so that a repeat of the request needs no new signature; if its session was
 * stored all the same, nobody has its tokens.
 */
const signIn = ({ proveWallet, sessions }: Dependencies) =>
  serviceMethod(async (request: SignInRequest) => {
    const { message, signature, dpopJkt } = request;
    // Displayed, and compared by its beginning, so a value that is too long is cut.
    const userAgent = request.userAgent.slice(0, USER_AGENT_LENGTH);
    const ip = ipOf(request);
    const { wallet, partner, release } = await proveWallet({ message, signature }, { purpose: 'sign_in' });
    const session = {
      wallet,
      partnerId: partner.id,
      ...(userAgent === '' ? {} : { userAgent }),
      ...(ip === '' ? {} : { ip }),
      ...(dpopJkt === '' ? {} : { jkt: dpopJkt }),
    };
    try {
      return { tokens: toWireTokenPair(await sessions.open(session)) };
    } catch (error) {
      // Without Redis the nonce stays used, and the wallet signs a new message.
      await release().catch(() => undefined);
      throw error;
    }
  });

/** Rejects a malformed token like an unknown one, so that the error reveals nothing about the format. */
const refreshSession = ({ sessions }: Dependencies) =>
  serviceMethod(async (request: RefreshSessionRequest) => {
    const { refreshToken, dpopJkt } = request;
    return { tokens: toWireTokenPair(await sessions.refresh(refreshToken, dpopJkt === '' ? undefined : dpopJkt)) };
  });

/** Implementation of the contract `AuthService`. */
export const authService = (dependencies: Dependencies): ServiceImplementation =>
  implement(AuthService, {
    createSiweMessage: createSiweMessage(dependencies),
    signIn: signIn(dependencies),
    refreshSession: refreshSession(dependencies),
  });
