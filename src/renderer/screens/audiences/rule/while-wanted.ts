/** A question that failed is asked again after this long, in real milliseconds: its rule may have to be counted first. */
const AGAIN_MS = 300;

/** Asks after a wait, and again for as long as the question fails. Returns what ends that. */
export function whileWanted(waitMs: number, ask: (isWanted: () => boolean) => Promise<void>): () => void {
  let isGone = false;
  const run = (): void => {
    ask(() => !isGone).catch(() => {
      if (!isGone) timer = setTimeout(run, AGAIN_MS);
    });
  };
  let timer = setTimeout(run, waitMs);
  return () => {
    isGone = true;
    clearTimeout(timer);
  };
}
