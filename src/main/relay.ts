/** Relays contract texts between a window's port and the engine's, as they are. */
import type { TextPort } from '../core/engine/engine-thread.ts';

/** The longest text that it accepts from a page, in UTF-16 units. */
export const MAX_TEXT_LENGTH = 1024 * 1024;

/** The part of Electron's MessagePortMain that is used. */
export interface PagePort {
  postMessage(message: unknown): void;
  start(): void;
  close(): void;
  on(event: 'message', listener: (event: { data: unknown }) => void): unknown;
  on(event: 'close', listener: () => void): unknown;
}

/** Ends when either side ends, or when the page posts anything but a text of the contract. */
export function relay(page: PagePort, engine: TextPort): () => void {
  let isOpen = true;
  const close = (): void => {
    if (!isOpen) return;
    isOpen = false;
    page.close();
    engine.close();
  };
  page.on('message', ({ data }) => {
    if (!isOpen) return;
    if (typeof data === 'string' && data.length <= MAX_TEXT_LENGTH) engine.post(data);
    else close();
  });
  page.on('close', close);
  engine.onText((text) => {
    if (isOpen) page.postMessage(text);
  });
  engine.onClose(close);
  page.start();
  return close;
}
