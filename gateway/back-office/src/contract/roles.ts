/** The rights that an operator may have. Everything else is denied. */
export const PERMISSIONS = [
  /** Looks at the overview of the program. */
  'overview.read',
  /** Finds people, and reads a person's file. */
  'people.read',
  /** Reads the queues of compliance: held deposits, identity checks and blocked accounts. */
  'compliance.read',
  /** Freezes cards, lifts the issuer's freeze, and reports cards lost or stolen for a caller. */
  'cards.freeze',
  /** Ends sessions of a person, for a caller who has lost a device. */
  'sessions.end',
  /** Reads the keys of partners, and endpoints and attempts of webhooks. */
  'partners.read',
  /** Registers and revokes keys of partners, and manages their webhook endpoints. */
  'partners.manage',
  /** Has events delivered again. */
  'webhooks.replay',
  /** Blocks accounts. */
  'accounts.block',
  /** Unblocks accounts. */
  'accounts.unblock',
  /** Takes the approval of an identity check back. */
  'kyc.take-back',
  /** Decides a deposit that screening has left pending. */
  'deposits.resolve',
  /** Records the steps of disputes and their outcomes, which credit the account or take a credit back. */
  'disputes.decide',
  /** Reads orders that move money, exceptions of card payments, and the books of settlement. */
  'money.read',
  /** Orders money to be moved, ends exceptions, and closes days of settlement. */
  'money.order',
  /** Approves and rejects what another operator has ordered. */
  'money.approve',
  /** Reads how chains are watched, and the transfers that need a person. */
  'chain.read',
  /** Has such a transfer booked again, or closes it; orders that a halted chain goes on or a Safe's owner gets another account, and approves what another operator has ordered. */
  'chain.resolve',
  /** Invites and disables operators. */
  'operators.manage',
  /** Reads and verifies the audit log. */
  'audit.read',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** The roles of operators. An operator may have several. */
export const ROLES = ['viewer', 'support', 'compliance', 'finance', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/**
 * The rights of each role. The administrator manages operators and watches over what they do, and reads no person's file: who wants both needs two
 * roles, which the audit log shows. It gives partners their keys, as it lets operators in.
 */
export const ROLE_PERMISSIONS: Readonly<Record<Role, readonly Permission[]>> = {
  viewer: ['overview.read'],
  support: ['overview.read', 'people.read', 'cards.freeze', 'sessions.end', 'partners.read', 'webhooks.replay'],
  compliance: [
    'overview.read',
    'people.read',
    'compliance.read',
    'cards.freeze',
    'sessions.end',
    'accounts.block',
    'accounts.unblock',
    'kyc.take-back',
    'deposits.resolve',
    'disputes.decide',
    'chain.read',
  ],
  finance: ['overview.read', 'people.read', 'disputes.decide', 'money.read', 'money.order', 'money.approve', 'chain.read', 'chain.resolve'],
  admin: ['overview.read', 'partners.read', 'partners.manage', 'operators.manage', 'audit.read'],
};

/**
 * Permissions whose use moves money or lets it move again, closes books for good, or gives and takes access, as a link to one's own account does: they need a confirmation by passkey within the last
 * minutes, and a link that gives one waits for a second administrator. A deposit that screening held is spent once one operator has let it pass and has unblocked its account.
 */
export const STEP_UP_PERMISSIONS: readonly Permission[] = [
  'accounts.unblock',
  'deposits.resolve',
  'disputes.decide',
  'money.order',
  'money.approve',
  'chain.resolve',
  'partners.manage',
  'operators.manage',
];

/** Everything that these roles allow, without duplicates. */
export const permissionsOf = (roles: readonly Role[]): Permission[] =>
  PERMISSIONS.filter((permission) => roles.some((role) => ROLE_PERMISSIONS[role].includes(permission)));

/** Reports whether a link with these roles works only after a second administrator has approved it. */
export const needsSecondAdministrator = (roles: readonly Role[]): boolean =>
  permissionsOf(roles).some((permission) => STEP_UP_PERMISSIONS.includes(permission));
