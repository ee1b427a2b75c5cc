const WIDTH = 30;

/** A terminal, or anything that text is written to. */
export type ProgressStream = { isTTY?: boolean; write: (text: string) => unknown };

export type ProgressBar = { show: (done: number, of: number) => void; end: () => void };

/** A bar that draws itself over on a terminal; elsewhere one line per tenth. */
export const createProgressBar = (label: string, stream: ProgressStream): ProgressBar => {
  let lastTenth = -1;
  const terminal = stream.isTTY === true;
  return {
    show: (done, of) => {
      const share = of === 0 ? 1 : Math.min(done / of, 1);
      const text = `${label}  ${Math.floor(share * 100)} %  ${done} of ${of} blocks`;
      if (terminal) {
        const full = Math.round(share * WIDTH);
        stream.write(`\r[${'#'.repeat(full)}${'-'.repeat(WIDTH - full)}]  ${text}`);
        return;
      }
      const tenth = Math.floor(share * 10);
      if (tenth === lastTenth) return;
      lastTenth = tenth;
      stream.write(`${text}\n`);
    },
    end: () => {
      if (terminal) stream.write('\n');
    },
  };
};
