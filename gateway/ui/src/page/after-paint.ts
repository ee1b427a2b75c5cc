/** Runs something once the browser has painted what is there now; a hidden page, which paints nothing, runs it as soon as it is seen. */
export const afterPaint = (run: () => void): void => {
  // The callback runs before the paint of its frame, and a task that it starts runs after it.
  requestAnimationFrame(() => setTimeout(run));
};
