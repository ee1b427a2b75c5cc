import type { ProcessContext, ProcessSpec } from './processes/process-spec.ts';
import { createSupervisedProcess, type SupervisedProcess } from './processes/supervised-process.ts';

export type ProcessInfo = { name: string; pid: number | undefined; restarts: number };

/** A set of supervised processes that are stopped tier by tier, the highest first. */
export type Supervisor = {
  /** Starts one process and resolves when it is ready. @throws ProcessStartError, with nothing left running */
  start: (spec: ProcessSpec) => Promise<SupervisedProcess>;
  processes: () => ProcessInfo[];
  /** Stops all processes in order; repeated calls wait for the same stop. */
  stop: () => Promise<void>;
  /** Kills all processes immediately. */
  kill: () => void;
};

export const createSupervisor = (context: ProcessContext): Supervisor => {
  const members: SupervisedProcess[] = [];
  let stopped: Promise<void> | undefined;

  const stopTiers = async (): Promise<void> => {
    const tiers = [...new Set(members.map(({ spec }) => spec.tier))].sort((a, b) => b - a);
    for (const tier of tiers) {
      await Promise.all(members.filter(({ spec }) => spec.tier === tier).map((member) => member.stop()));
    }
  };

  return {
    start: async (spec) => {
      if (stopped !== undefined) throw new Error('The supervisor is stopping.');
      const member = createSupervisedProcess(spec, context);
      members.push(member);
      try {
        await member.start();
        return member;
      } catch (error) {
        members.splice(members.indexOf(member), 1);
        throw error;
      }
    },
    processes: () => members.map(({ spec, pid, restarts }) => ({ name: spec.name, pid: pid(), restarts: restarts() })),
    stop: () => {
      stopped ??= stopTiers();
      return stopped;
    },
    kill: () => {
      for (const member of members) member.kill();
    },
  };
};
