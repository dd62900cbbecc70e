import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import type { TextPort } from '../../../src/core/engine/engine-thread.ts';
import { MAX_TEXT_LENGTH, type PagePort, relay } from '../../../src/main/relay.ts';

class FakePage extends EventEmitter implements PagePort {
  readonly posted: unknown[] = [];
  started = false;
  closes = 0;
  get closed(): boolean {
    return this.closes > 0;
  }
  postMessage(message: unknown): void {
    this.posted.push(message);
  }
  start(): void {
    this.started = true;
  }
  close(): void {
    this.closes += 1;
  }
}

function fakeEngine() {
  const state = { posted: [] as string[], closed: false, closes: 0, text: (_text: string) => {}, end: () => {} };
  const port: TextPort = {
    post: (text) => void state.posted.push(text),
    onText: (listener) => {
      state.text = listener;
    },
    onClose: (listener) => {
      state.end = listener;
    },
    close: () => {
      state.closed = true;
      state.closes += 1;
    },
  };
  return { port, state };
}

test('texts pass both ways as they are', () => {
  const [page, engine] = [new FakePage(), fakeEngine()];
  relay(page, engine.port);
  page.emit('message', { data: '{"a":1}' });
  engine.state.text('[2]');
  expect(page.started).toBe(true);
  expect(engine.state.posted).toEqual(['{"a":1}']);
  expect(page.posted).toEqual(['[2]']);
});

test.each<[string, unknown]>([
  ['an object', { a: 1 }],
  ['null', null],
  ['undefined', undefined],
  ['a number', 1],
  ['bytes', new Uint8Array(3)],
  ['an object with a prototype key', JSON.parse('{"__proto__":{"x":1}}')],
  ['a text that is too long', 'x'.repeat(MAX_TEXT_LENGTH + 1)],
])('%s from the page ends the connection and reaches no engine', (_title, data) => {
  const [page, engine] = [new FakePage(), fakeEngine()];
  relay(page, engine.port);
  page.emit('message', { data });
  page.emit('message', { data: '"later"' });
  expect(engine.state.posted).toEqual([]);
  expect([page.closed, engine.state.closed]).toEqual([true, true]);
});

test('a text of the greatest length passes', () => {
  const [page, engine] = [new FakePage(), fakeEngine()];
  relay(page, engine.port);
  page.emit('message', { data: 'x'.repeat(MAX_TEXT_LENGTH) });
  expect(engine.state.posted[0]).toHaveLength(MAX_TEXT_LENGTH);
});

test('either side ending ends the other, and nothing is posted after it', () => {
  for (const end of ['page', 'engine', 'shell'] as const) {
    const [page, engine] = [new FakePage(), fakeEngine()];
    const close = relay(page, engine.port);
    if (end === 'page') page.emit('close');
    else if (end === 'engine') engine.state.end();
    else close();
    engine.state.text('late');
    expect([page.closed, engine.state.closed, page.posted]).toEqual([true, true, []]);
  }
});

test('each side is closed once, however many ends there are', () => {
  const [page, engine] = [new FakePage(), fakeEngine()];
  const close = relay(page, engine.port);
  close();
  page.emit('close');
  engine.state.end();
  page.emit('message', { data: 7 });
  expect([page.closes, engine.state.closes]).toEqual([1, 1]);
});
