/** A signed-in wallet; `userId` is present once the wallet is registered. */
export type WalletCaller = {
  kind: 'wallet';
  /** EIP-55 address. */
  wallet: string;
  /** Expiry of the token. A stream ends then. */
  expiresAt: Date;
  sessionId: string;
  partnerId: string;
  userId?: string;
  /** Epoch of the wallet in which the session was opened; 0 when it is absent. */
  walletEpoch?: number;
  /** When the wallet signed in. Absent in tokens that state no time, which is then treated as long ago. */
  signedInAt?: Date;
  /** Id of the key that signed the token. */
  kid?: string;
  /**
   * Thumbprint of the client's key to which the token is bound (RFC 9449, section 6; RFC 7638); absent in a bearer token. The gateway verifies
   * the proof. Services do not: their ports are internal and use mutual TLS, and a proof names a URL of the gateway.
   */
  jkt?: string;
};

/** A registered user. */
export type UserCaller = WalletCaller & { userId: string };

/** A process of the platform, or another trusted client. */
export type ServiceCaller = {
  kind: 'service';
  name: string;
  scopes: ReadonlySet<string>;
  /** Expiry of the token. A stream ends then. */
  expiresAt: Date;
  /** Id of the partner whose own client it is: it sees nothing of other partners. Absent for the platform's clients. */
  partnerId?: string;
  /** Present when the client is a person, an operator for example, whose calls are recorded in the audit log. */
  person?: true;
};

export type Caller = WalletCaller | ServiceCaller;
