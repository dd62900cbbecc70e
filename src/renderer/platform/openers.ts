/** The two ways to reach the engine: a MessagePort of the desktop shell, or a WebSocket of the headless one. */
import type { Channel } from '../../contract/channel.ts';
import './desktop.ts';

/** Opens one channel; `onClose` runs once when it is gone for good. */
export type Opener = (onClose: () => void) => Promise<Channel>;

/** How long to wait for the desktop shell's port, for the socket, or for the reason of its refusal, in milliseconds. */
const OPEN_TIMEOUT_MS = 10_000;

function portChannel(port: MessagePort, onClose: () => void): Channel {
  return {
    post: (text) => port.postMessage(text),
    onText: (listener) => {
      port.onmessage = (event: MessageEvent<unknown>) => listener(String(event.data));
    },
    // A port's `close` event fires only when the other end closes.
    close: () => {
      port.close();
      onClose();
    },
  };
}

/** The port arrives as a window message of this very window (the preload forwards it). */
export const openPort: Opener = (onClose) =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      window.removeEventListener('message', onMessage);
      reject(new Error('the desktop shell gave no port'));
    }, OPEN_TIMEOUT_MS);
    const onMessage = (event: MessageEvent<unknown>) => {
      const port = event.ports[0];
      if (event.source !== window || event.data !== 'rpc:port' || port === undefined) return;
      clearTimeout(timer);
      window.removeEventListener('message', onMessage);
      port.addEventListener('close', onClose);
      resolve(portChannel(port, onClose));
    };
    window.addEventListener('message', onMessage);
    window.hookbench?.requestPort();
  });

function socketChannel(socket: WebSocket): Channel {
  return {
    post: (text) => {
      if (socket.readyState === WebSocket.OPEN) socket.send(text);
    },
    onText: (listener) => {
      socket.onmessage = (event: MessageEvent<unknown>) => listener(String(event.data));
    },
    close: () => socket.close(),
  };
}

/** The engine is there but does not know this tab's token. Hookbench was restarted, so retrying cannot help. */
export class TokenRefused extends Error {}

/** Finds out why a socket did not open. A browser hides the reason, so the page asks again without an upgrade. */
async function refusalOf(token: string): Promise<Error> {
  const signal = AbortSignal.timeout(OPEN_TIMEOUT_MS);
  const answer = await fetch('/contract', { headers: { Authorization: `Bearer ${token}` }, signal }).catch(() => null);
  if (answer?.status === 401) return new TokenRefused('the engine does not know the token of this tab');
  return new Error('the engine did not accept the connection');
}

/** A WebSocket to the page's own host; the token travels as a subprotocol, so it stays out of URLs and logs. */
export const openSocket =
  (token: string, url: string = contractUrl()): Opener =>
  (onClose) =>
    new Promise((resolve, reject) => {
      const socket = new WebSocket(url, ['hookbench', `hookbench.${token}`]);
      const timer = setTimeout(() => socket.close(), OPEN_TIMEOUT_MS);
      let opened = false;
      socket.onopen = () => {
        opened = true;
        clearTimeout(timer);
        resolve(socketChannel(socket));
      };
      socket.onclose = () => {
        clearTimeout(timer);
        if (opened) onClose();
        else void refusalOf(token).then(reject);
      };
    });

function contractUrl(): string {
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
  return `${scheme}://${location.host}/contract`;
}
