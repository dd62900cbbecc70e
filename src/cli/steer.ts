/** `hookbench clock` and `hookbench delivery`: what a person sets on a running instance. */
import { deliveryText, notSendingWords } from '../contract/not-sending.ts';
import { jsonText } from '../contract/plain-text.ts';
import type { ClockView } from '../contract/values.ts';
import { workspaceFolder, workspaceOption } from '../shell/start-options.ts';
import { defineCommand } from './command.ts';
import { type Running, withRunning } from './running.ts';

const SPEEDS = { '1': 1, '10': 10, '60': 60, '240': 240 } as const;
const CLOCK_WORDS = ['1', '10', '60', '240', 'pause', 'resume', 'step'] as const;
type ClockWord = (typeof CLOCK_WORDS)[number];

const options = {
  workspace: workspaceOption,
  json: { type: 'boolean', help: 'Print one JSON object' },
} as const;

const print = (asJson: boolean, value: unknown, text: string): void =>
  void process.stdout.write(asJson ? `${jsonText(value)}\n` : `${text}\n`);

const clockText = ({ speed, paused, clockAt }: ClockView): string =>
  paused ? `Retry clock paused at ${new Date(clockAt).toISOString()}.` : `Retry clock at ${speed}×.`;

async function changeClock({ call }: Running, word: ClockWord | undefined): Promise<ClockView> {
  if (word === undefined) return (await call('app.hello', {})).parts.clock;
  if (word === 'pause') return call('clock.pause');
  if (word === 'resume') return call('clock.resume');
  if (word === 'step') return call('clock.step');
  return call('clock.setSpeed', { speed: SPEEDS[word] });
}

/** Without a word it only shows. A speed may be written as the interface shows it: `10×`. */
export const clockCommand = defineCommand({
  name: 'clock',
  summary: 'Show or set the retry clock of a running instance; step jumps to the next planned round.',
  words: CLOCK_WORDS,
  spelling: (word) => word.replace(/[x×]$/, ''),
  options,
  run: async ({ values: { workspace, json = false }, word, env }) => {
    const clock = await withRunning(workspaceFolder(workspace, env), (running) => changeClock(running, word));
    print(json, clock, word === 'step' ? `Stepped to ${new Date(clock.clockAt).toISOString()}.` : clockText(clock));
  },
});

/** Without a word it only shows. */
export const deliveryCommand = defineCommand({
  name: 'delivery',
  summary: 'Show whether a running instance delivers; pause delivery or resume it.',
  words: ['pause', 'resume'],
  options,
  run: async ({ values: { workspace, json = false }, word, env }) => {
    const { paused, notSending } = await withRunning(workspaceFolder(workspace, env), async ({ call }) => {
      if (word !== undefined) await call('destination.save', { paused: word === 'pause' });
      const { destination, status } = (await call('app.hello', {})).parts;
      return { paused: destination.paused, notSending: status.notSending };
    });
    const remedies = notSending.map((reason) => `\n  ${notSendingWords[reason].remedy}`).join('');
    print(json, { paused, notSending }, `${deliveryText(notSending)}${remedies}`);
  },
});
