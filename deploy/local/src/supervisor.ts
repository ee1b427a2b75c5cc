import { type ProcessContext, type ProcessSpec, SupervisedProcess } from './processes/supervised-process.ts';

export type ProcessInfo = { name: string; pid: number | undefined; restarts: number };

/** A set of supervised processes that are stopped tier by tier, the highest first. */
export class Supervisor {
  private readonly context: ProcessContext;
  private readonly members: SupervisedProcess[] = [];
  private stopped: Promise<void> | undefined;

  constructor(context: ProcessContext) {
    this.context = context;
  }

  /** Starts one process and resolves when it is ready. @throws ProcessStartError, with nothing of it left running */
  async start(spec: ProcessSpec): Promise<SupervisedProcess> {
    if (this.stopped !== undefined) throw new Error('the supervisor is stopping');
    const member = new SupervisedProcess(spec, this.context);
    this.members.push(member);
    try {
      await member.start();
      return member;
    } catch (error) {
      this.members.splice(this.members.indexOf(member), 1);
      throw error;
    }
  }

  processes(): ProcessInfo[] {
    return this.members.map(({ spec, pid, restarts }) => ({ name: spec.name, pid, restarts }));
  }

  /** Stops everything in order; calling it again waits for the same end. */
  stop(): Promise<void> {
    this.stopped ??= this.stopTiers();
    return this.stopped;
  }

  /** Kills everything at once, for the impatient second Ctrl-C. */
  kill(): void {
    for (const member of this.members) member.kill();
  }

  private async stopTiers(): Promise<void> {
    const tiers = [...new Set(this.members.map(({ spec }) => spec.tier))].sort((a, b) => b - a);
    for (const tier of tiers) {
      const members = this.members.filter(({ spec }) => spec.tier === tier);
      await Promise.all(members.map((member) => member.stop()));
    }
  }
}
