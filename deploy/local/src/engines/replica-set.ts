export type ReplicaSetConfig = { _id: string; version: number; members: { _id: number; host: string }[] };

export type MemberState = { initiated: false } | { initiated: true; config: ReplicaSetConfig };

/**
 * Returns the command that makes a single mongod the primary of its replica set, or undefined if its configuration is correct. The
 * configuration is stored with the data and names the address of the last start. On another port the set must be reconfigured by
 * force, because it has no reachable member.
 */
export const replicaSetStep = (state: MemberState, set: string, host: string): Record<string, unknown> | undefined => {
  if (!state.initiated) return { replSetInitiate: { _id: set, members: [{ _id: 0, host }] } };
  const { config } = state;
  if (config.members.length === 1 && config.members[0]?.host === host) return undefined;
  const member = { ...config.members[0], _id: 0, host };
  return { replSetReconfig: { ...config, version: config.version + 1, members: [member] }, force: true };
};
