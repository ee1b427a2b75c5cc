/** Why an endpoint is disabled: its owner asked for it, the receiver answered 410, or nothing succeeded for five days. */
export type DisabledReason = 'requested' | 'gone' | 'failing';

/** A reference to a secret of an endpoint. */
export type SecretRef = {
  /** `_id` of the sealed secret. */
  id: string;
  /** The call that set it, and a keyed hash of its content. */
  requestId: string;
  inputHash: string;
  /** When it stops signing; absent for the current one. */
  endsAt?: Date;
};

/** A delivery beside the feed, asked for by the owner. */
export type Order = {
  /** The call that asked for it. */
  id: string;
  /** Place of the event to deliver again; 0 for a test event. */
  sequence: number;
  at: Date;
  isDone: boolean;
};

/** Everything after a place is to be delivered again. */
export type Replay = {
  /** The call that asked for it, and the cursor that it named. */
  id: string;
  cursor: string;
  after: number;
};

/** A URL of a partner to which the events of the partner's feed are delivered. */
export type Endpoint = {
  /** UUID. */
  id: string;
  requestId: string;
  inputHash: string;
  url: string;
  /** Names and groups of types; none lets everything through. */
  types: string[];
  description: string;
  /** Version of the data of the events; absent for the first one, also from endpoints of release 0.2. */
  dataVersion?: number;
  /** `_id` of the sealed address of its contact. */
  contactId?: string;
  createdAt: Date;
  /** Sequence after which deliveries began. */
  startAfter: number;
  /** Absent while it is enabled. */
  disabled?: { reason: DisabledReason; at: Date };
  /** Counts how often it was enabled or got another URL: failures before do not count. */
  enabled: number;
  /** The newest first. */
  secrets: SecretRef[];
  /** The last replay that was asked for. */
  replay?: Replay;
  /** Those before it, the newest last, by which repeats are recognized. */
  earlierReplays?: Replay[];
  /** The newest last. */
  orders: Order[];
  /** Set while the contact has to be told that it was disabled. */
  notice?: { reason: DisabledReason; at: Date };
};

/** The endpoints of a partner: one document, so that each change and each limit is decided by one write. */
export type PartnerEndpoints = {
  /** Feed that is delivered: the partner's id, or `_platform`. */
  feed: string;
  /** Changes with each write. */
  revision: number;
  endpoints: Endpoint[];
  /** Times of the mails of the last day about them. */
  mails?: Date[];
};

/** Version of the data for endpoints that state none. */
export const FIRST_VERSION = 1;

/** Most endpoints of a partner. */
export const MAX_ENDPOINTS = 20;

/** Endpoints of no one. */
export const NO_ENDPOINTS = (feed: string): PartnerEndpoints => ({ feed, revision: 0, endpoints: [] });

/** Ids of the sealed texts that an endpoint refers to. */
export const textsOf = ({ secrets, contactId }: Pick<Endpoint, 'secrets' | 'contactId'>): string[] => [
  ...secrets.map(({ id }) => id),
  ...(contactId === undefined ? [] : [contactId]),
];
