export type ReplicaSetConfig = { _id: string; version: number; members: { _id: number; host: string }[] };

export type MemberState = { initiated: false } | { initiated: true; config: ReplicaSetConfig };

/**
 * The command that makes a lone mongod the primary of its set, or undefined when its configuration is right. The data
 * remembers the address of the last start; on another port the set must be told by force, as no member is reachable.
 */
export function replicaSetStep(state: MemberState, set: string, host: string): Record<string, unknown> | undefined {
  if (!state.initiated) return { replSetInitiate: { _id: set, members: [{ _id: 0, host }] } };
  const { config } = state;
  if (config.members.length === 1 && config.members[0]?.host === host) return undefined;
  const member = { ...config.members[0], _id: 0, host };
  return { replSetReconfig: { ...config, version: config.version + 1, members: [member] }, force: true };
}
