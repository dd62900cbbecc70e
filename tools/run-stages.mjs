// Runs the stages of npm test, one group after the other. A signal ends the stages that run, then this process.
import { spawn } from 'node:child_process';

const running = new Set();
let isAsked = false;

const endIfAsked = () => {
  if (isAsked && running.size === 0) process.exit(130);
};

/** From here on no signal ends this process and leaves a stage running. */
export function endOnSignals() {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => {
      isAsked = true;
      for (const child of running) child.kill(signal);
      endIfAsked();
    });
}

/** Resolves with the stage's exit code, and with what it wrote when that is not inherited. */
function runStage([command, ...args], options) {
  return new Promise((resolve) => {
    let output = '';
    const child = spawn(command, args, options);
    running.add(child);
    const end = (exitCode) => {
      running.delete(child);
      endIfAsked();
      resolve({ exitCode, output });
    };
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
    child.on('error', (error) => {
      output += `${error.message}\n`;
      end(127);
    });
    child.on('close', (code) => end(code ?? 1));
  });
}

/**
 * Runs the stages of a group beside each other, and gives each with its exit code, in their order. A stage that is alone
 * shows what it writes at once; the others do when they have ended.
 */
export async function* runGroup(stages, options) {
  const isAlone = stages.length === 1;
  const stdio = isAlone ? 'inherit' : ['ignore', 'pipe', 'pipe'];
  const runs = stages.map((stage) => ({ stage, ended: runStage(stage.command, { ...options, stdio }) }));
  for (const { stage, ended } of runs) {
    if (isAlone) console.log(`\n== ${stage.name}`);
    const { exitCode, output } = await ended;
    if (!isAlone) console.log(`\n== ${stage.name}`);
    process.stdout.write(output);
    yield { ...stage, exitCode };
  }
}
