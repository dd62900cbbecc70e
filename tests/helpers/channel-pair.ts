import type { Channel } from '../../src/contract/channel.ts';

/** Two ends of a channel in this process. A text arrives one promise turn later; closing one end closes both. */
export function channelPair(): [engine: Channel, client: Channel] {
  const listeners: ((text: string) => void)[] = [() => {}, () => {}];
  let isOpen = true;
  const end = (own: 0 | 1): Channel => ({
    post: (text) => queueMicrotask(() => isOpen && listeners[1 - own]?.(text)),
    onText: (listener) => {
      listeners[own] = listener;
    },
    close: () => {
      isOpen = false;
    },
  });
  return [end(0), end(1)];
}
