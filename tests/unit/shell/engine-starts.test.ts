import { expect, test, vi } from 'vitest';
import type { EngineStartOptions } from '../../../src/core/engine/engine-thread.ts';
import { engineStarts } from '../../../src/shell/engine-starts.ts';

const asked: EngineStartOptions[] = [];
vi.mock('../../../src/core/engine/engine-thread.ts', () => ({
  startEngineThread: async (_path: string, options: EngineStartOptions) => {
    asked.push(options);
    const view = (port: number | undefined, usual: number) => ({ state: 'listening', port: port || usual });
    return { info: { listener: view(options.ingestPort, 40_001), https: view(options.httpsPort, 40_002) } };
  },
}));

const options: EngineStartOptions = {
  workspace: '/w',
  version: '1',
  shell: 'headless',
  secretKeyBase64: 'k',
  acceptAnyKey: true,
  acceptStore: true,
  config: { clock: { speed: 60 } },
};
const startedTwice = async (more: Partial<EngineStartOptions>) => {
  asked.length = 0;
  const start = engineStarts('/worker.js', { ...options, ...more });
  await start();
  await start();
  return asked;
};

test('a second start leaves the config file alone, takes no other store, and keeps everything else', async () => {
  const [first, second] = await startedTwice({ ingestPort: 8765 });
  expect(first).toEqual({ ...options, ingestPort: 8765 });
  const { config: _config, ...rest } = options;
  expect(second).toEqual({ ...rest, acceptStore: false, ingestPort: 8765, httpsPort: undefined });
});

test('where any free port was asked for, a second start takes the same one', async () => {
  const [, second] = await startedTwice({ ingestPort: 0, httpsPort: 0 });
  expect([second?.ingestPort, second?.httpsPort]).toEqual([40_001, 40_002]);
});

test('a port of the settings stays one of the settings', async () => {
  const [, second] = await startedTwice({});
  expect([second?.ingestPort, second?.httpsPort]).toEqual([undefined, undefined]);
});
