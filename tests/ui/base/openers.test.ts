import { afterEach, describe, expect, it, vi } from 'vitest';
import { openPort, openSocket, TokenRefused } from '../../../src/renderer/platform/openers.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  window.hookbench = undefined;
});

describe('MessagePort of the desktop shell', () => {
  const messageEvent = (data: unknown, source: unknown, ports: MessagePort[]) => {
    const event = new Event('message');
    Object.defineProperties(event, { data: { value: data }, source: { value: source }, ports: { value: ports } });
    return event;
  };
  const hand = (data: unknown, source: unknown, ports: MessagePort[]) =>
    window.dispatchEvent(messageEvent(data, source, ports));

  it('takes the port that this window hands over, and no other', async () => {
    const asked = vi.fn();
    window.hookbench = { requestPort: asked };
    const { port1, port2 } = new MessageChannel();
    const opening = openPort(() => {});
    expect(asked).toHaveBeenCalledOnce();
    const stranger = new MessageChannel();
    hand('rpc:port', {}, [stranger.port1]);
    hand('something', window, [stranger.port2]);
    hand('rpc:port', window, []);
    hand('rpc:port', window, [port1]);
    const channel = await opening;
    const heard = new Promise((done) => channel.onText(done));
    port2.postMessage('hello');
    expect(await heard).toBe('hello');
    channel.close();
    stranger.port1.close();
  });
});

describe('WebSocket of the headless shell', () => {
  class FakeSocket {
    static readonly OPEN = 1;
    static last: FakeSocket;
    readyState = 0;
    sent: string[] = [];
    onopen: (() => void) | null = null;
    onclose: (() => void) | null = null;
    onmessage: ((event: { data: unknown }) => void) | null = null;
    readonly url: string;
    readonly protocols: string[];
    constructor(url: string, protocols: string[]) {
      this.url = url;
      this.protocols = protocols;
      FakeSocket.last = this;
    }
    send(text: string): void {
      this.sent.push(text);
    }
    close(): void {
      this.onclose?.();
    }
  }

  it('goes to the page\u2019s own host with the token as a subprotocol, never in the address', async () => {
    vi.stubGlobal('WebSocket', FakeSocket);
    const closed = vi.fn();
    const opening = openSocket('s3cret')(closed);
    const socket = FakeSocket.last;
    expect(socket.url).toBe(`ws://${location.host}/contract`);
    expect(socket.protocols).toEqual(['hookbench', 'hookbench.s3cret']);
    socket.readyState = 1;
    socket.onopen?.();
    const channel = await opening;
    channel.post('a');
    expect(socket.sent).toEqual(['a']);
    socket.readyState = 3;
    channel.post('lost');
    expect(socket.sent).toEqual(['a']);
    socket.onclose?.();
    expect(closed).toHaveBeenCalledOnce();
  });
  it.each([
    ['the token is refused', async () => new Response(null, { status: 401 }), TokenRefused, 'does not know the token'],
    ['it has no engine', async () => new Response(null, { status: 426 }), Error, 'did not accept'],
    ['nobody answers', async () => Promise.reject(new TypeError('refused')), Error, 'did not accept'],
  ])('rejects when %s, and says which', async (_title, answer, kind, words) => {
    vi.stubGlobal('WebSocket', FakeSocket);
    const fetched = vi.fn<(path: string, init: RequestInit) => Promise<Response>>(answer);
    vi.stubGlobal('fetch', fetched);
    const closed = vi.fn();
    const opening = openSocket('old')(closed);
    FakeSocket.last.onclose?.();
    const error = await opening.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(kind);
    expect(error instanceof TokenRefused).toBe(kind === TokenRefused);
    expect(String(error)).toContain(words);
    const headers = { Authorization: 'Bearer old' };
    expect(fetched).toHaveBeenCalledExactlyOnceWith('/contract', { headers, signal: expect.any(AbortSignal) });
    expect(closed).not.toHaveBeenCalled();
  });

  it('does not wait for ever for the reason of a refusal', async () => {
    vi.stubGlobal('WebSocket', FakeSocket);
    const limit = new AbortController();
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal);
    const unanswered = (_path: string, init?: RequestInit) =>
      new Promise<Response>((_resolve, reject) => init?.signal?.addEventListener('abort', () => reject(new Error())));
    vi.stubGlobal('fetch', unanswered);
    const opening = openSocket('s3cret')(() => {});
    FakeSocket.last.onclose?.();
    expect(timeout).toHaveBeenCalledExactlyOnceWith(10_000);
    limit.abort();
    await expect(opening).rejects.toThrow('did not accept');
    timeout.mockRestore();
  });
});
