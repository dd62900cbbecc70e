/** `hookbench clock` and `hookbench delivery`: what a person sets on a running instance. */
import { parseArgs } from 'node:util';
import { deliveryText, notSendingWords } from '../contract/not-sending.ts';
import type { ClockView } from '../contract/values.ts';
import { parseOrUsage, UsageError, workspaceFolder } from '../shell/start-options.ts';
import { jsonText } from '../shell/terminal.ts';
import { type Running, withRunning } from './running.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const SPEEDS = [1, 10, 60, 240] as const;

interface Asked {
  readonly word: string | undefined;
  readonly workspace: string;
  readonly json: boolean;
}

function asked(args: readonly string[], env: Environment, command: string): Asked {
  const { values, positionals } = parseOrUsage(() =>
    parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { workspace: { type: 'string' }, json: { type: 'boolean', default: false } },
    }),
  );
  if (positionals.length > 1) throw new UsageError(`hookbench ${command} takes one word, not ${positionals.length}.`);
  return { word: positionals[0], workspace: workspaceFolder(values.workspace, env), json: values.json };
}

const print = (json: boolean, value: unknown, text: string): void =>
  void process.stdout.write(json ? `${jsonText(value)}\n` : `${text}\n`);

const clockText = ({ speed, paused, clockAt }: ClockView): string =>
  paused ? `Retry clock paused at ${new Date(clockAt).toISOString()}.` : `Retry clock at ${speed}×.`;

async function changeClock({ call }: Running, word: string | undefined): Promise<ClockView> {
  if (word === undefined) return (await call('app.hello', {})).clock;
  if (word === 'pause') return call('clock.pause');
  if (word === 'resume') return call('clock.resume');
  if (word === 'step') return call('clock.step');
  const speed = SPEEDS.find((one) => String(one) === word.replace(/[x×]$/, ''));
  if (speed === undefined)
    throw new UsageError(`hookbench clock takes 1, 10, 60, 240, pause, resume or step, not ${JSON.stringify(word)}.`);
  return call('clock.setSpeed', { speed });
}

/** `hookbench clock [1|10|60|240|pause|resume|step]`; without a word it tells. */
export async function steerClock(args: readonly string[], env: Environment): Promise<void> {
  const { word, workspace, json } = asked(args, env, 'clock');
  const clock = await withRunning(workspace, (running) => changeClock(running, word));
  print(json, clock, word === 'step' ? `Stepped to ${new Date(clock.clockAt).toISOString()}.` : clockText(clock));
}

/** `hookbench delivery [pause|resume]`; without a word it tells. */
export async function steerDelivery(args: readonly string[], env: Environment): Promise<void> {
  const { word, workspace, json } = asked(args, env, 'delivery');
  if (word !== undefined && word !== 'pause' && word !== 'resume')
    throw new UsageError(`hookbench delivery takes pause or resume, not ${JSON.stringify(word)}.`);
  const { paused, notSending } = await withRunning(workspace, async ({ call }) => {
    if (word !== undefined) await call('destination.save', { paused: word === 'pause' });
    const { destination, status } = await call('app.hello', {});
    return { paused: destination.paused, notSending: status.notSending };
  });
  const remedies = notSending.map((reason) => `\n  ${notSendingWords[reason].remedy}`).join('');
  print(json, { paused, notSending }, `${deliveryText(notSending)}${remedies}`);
}
