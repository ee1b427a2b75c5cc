/** Signals the whole group that `pid` leads, or `pid` alone when it leads none. A process that is gone is no error. */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  if (!trySignal(-pid, signal)) trySignal(pid, signal);
}

/** Kills what is left of a group after its leader has exited. */
export function killGroupRemains(pid: number): void {
  trySignal(-pid, 'SIGKILL');
}

function trySignal(target: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(target, signal);
    return true;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    // EPERM: macOS answers so for a group of zombies only.
    if (code === 'ESRCH' || code === 'EPERM') return false;
    throw error;
  }
}
