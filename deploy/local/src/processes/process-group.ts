/** Signals the process group that `pid` leads, or only `pid` if it leads no group. Does nothing if the process is gone. */
export const signalGroup = (pid: number, signal: NodeJS.Signals): void => {
  if (!trySignal(-pid, signal)) trySignal(pid, signal);
};

/** Kills the remaining members of a group whose leader has exited. */
export const killGroupRemains = (pid: number): void => {
  trySignal(-pid, 'SIGKILL');
};

const trySignal = (target: number, signal: NodeJS.Signals): boolean => {
  try {
    process.kill(target, signal);
    return true;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    // macOS reports EPERM for a group that consists of zombies only.
    if (code === 'ESRCH' || code === 'EPERM') return false;
    throw error;
  }
};
