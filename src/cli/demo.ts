/** `hookbench demo`: a made-up shop in a workspace of its own, started or found running (docs/demo.md). */
import type { DemoInput, DemoView } from '../contract/demo.ts';
import { DEMO_LIMITS } from '../contract/demo-limits.ts';
import { jsonText, terminalText } from '../contract/plain-text.ts';
import { startDemo } from '../headless/demo.ts';
import { openInBrowser, sayReady, stopRequested, untilEnd } from '../headless/serve.ts';
import { demoFolder } from '../shell/demo-folder.ts';
import { exitCodes } from '../shell/exit-codes.ts';
import { KnownWorkspaces, knownPlace } from '../shell/known-workspaces.ts';
import { UsageError } from '../shell/option-table.ts';
import { type Environment, portOption } from '../shell/start-options.ts';
import { type CliParts, defineCommand } from './command.ts';
import { openRunning, type Running } from './running.ts';

interface Wanted {
  readonly workspace: string;
  readonly input: DemoInput;
  readonly reset: boolean;
  readonly ports: { readonly uiPort?: number | undefined; readonly ingestPort?: number | undefined };
  readonly json: boolean;
  readonly open: boolean;
}

/** A whole number from `from` to `to`. Throws a {@link UsageError}. */
function numberOption(text: string | undefined, name: string, from: number, to: number): number | undefined {
  if (text === undefined) return undefined;
  const number = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (!(number >= from && number <= to))
    throw new UsageError(`--${name} takes a whole number from ${from} to ${to}, not ${JSON.stringify(text)}.`);
  return number;
}

export const demoCommand = defineCommand({
  name: 'demo',
  summary: 'Start a made-up shop that fills a workspace of its own, or show where it runs.',
  options: {
    workspace: { type: 'string', value: 'DIR', help: 'The folder of the demo (~/.hookbench/demo-shop)' },
    seed: { type: 'string', value: 'N', help: 'The same number gives the same calls (42)' },
    rate: { type: 'string', value: 'N', help: 'Calls a minute (20)' },
    reset: { type: 'boolean', help: 'Empty the demo and begin again' },
    'ingest-port': { type: 'string', value: 'N', help: 'The port for calls; any free one by default' },
    'ui-port': { type: 'string', value: 'N', help: 'The port of the interface; any free one by default' },
    'no-open': { type: 'boolean', help: 'Do not open the browser' },
    json: { type: 'boolean', help: 'Print one JSON line when it is ready, with the addresses' },
  },
  run: async ({ values, parts, env }) => {
    const wanted: Wanted = {
      workspace: demoFolder(values.workspace, env),
      input: {
        seed: numberOption(values.seed, 'seed', 0, DEMO_LIMITS.seed),
        rate: numberOption(values.rate, 'rate', 1, DEMO_LIMITS.rate),
      },
      reset: values.reset === true,
      ports: portsOf(values),
      json: values.json === true,
      open: values['no-open'] !== true,
    };
    const running = await openRunning(wanted.workspace);
    if (running === null) return start(wanted, parts, env);
    try {
      return await steer(running, wanted, env);
    } finally {
      running.close();
    }
  },
});

/** The ports given on the command line. The demo takes any free port in place of a missing one. */
function portsOf(values: { readonly 'ui-port'?: string; readonly 'ingest-port'?: string }): Wanted['ports'] {
  const [uiPort, ingestPort] = [
    portOption(values['ui-port'], 'ui-port'),
    portOption(values['ingest-port'], 'ingest-port'),
  ];
  return { ...(uiPort === undefined ? {} : { uiPort }), ...(ingestPort === undefined ? {} : { ingestPort }) };
}

/** Runs until it is asked to stop, or the user ends the demo. */
async function start(wanted: Wanted, parts: CliParts, env: Environment): Promise<number> {
  const { workspace, input, reset, ports, json, open } = wanted;
  let end = (_reason: string): void => {};
  const ended = new Promise<string>((resolve) => {
    end = resolve;
  });
  const asked = Promise.race([stopRequested(), ended]);
  process.stdout.on('error', () => {});
  const shell = await startDemo({ ...parts, ...ports, env, workspace, input, reset, onEnd: () => end('ended') });
  if (!json) new KnownWorkspaces(knownPlace(env)).remember(workspace);
  const until = untilEnd(shell, asked, json);
  // Its webhooks come with the receivers, a moment later.
  sayReady({ ...shell, notSending: [] }, json);
  if (open) openInBrowser(shell.launchUrl(), env);
  void ended.then(() => {
    if (!json) process.stdout.write(`The demo has ended. Its workspace is kept in ${terminalText(workspace)}.\n`);
  });
  return until;
}

/** The demo runs already: begins it again, sets its rate, and says where it is. */
async function steer({ call }: Running, wanted: Wanted, env: Environment): Promise<number> {
  const { workspace, input, reset, json, open } = wanted;
  const view: DemoView = await call('demo.get');
  if (view.state === 'none')
    throw new UsageError(`An instance runs on ${workspace}, and it is no demo. Name another folder.`);
  if (!reset && input.seed !== undefined && input.seed !== view.seed)
    throw new UsageError(`The demo runs with the seed ${view.seed}. Add --reset to begin again with ${input.seed}.`);
  const { url } = await call('demo.address');
  if (reset) await call('demo.reset', { seed: input.seed ?? view.seed, rate: input.rate ?? view.rate });
  else if (input.rate !== undefined) await call('demo.setRate', { rate: input.rate });
  const seed = reset ? (input.seed ?? view.seed) : view.seed;
  const rate = input.rate ?? view.rate;
  const said = { running: true, reset, seed, rate, ui: url, workspace };
  if (json) process.stdout.write(`${jsonText(said)}\n`);
  else {
    process.stdout.write(`The demo ${reset ? 'begins again' : 'runs'}: seed ${seed}, ${rate} calls a minute.\n`);
    process.stdout.write(`Open ${url} (it works once, within a minute).\n`);
  }
  if (open) openInBrowser(url, env);
  return exitCodes.ok;
}
