// What launchers share: signals go to the child of the moment, and its end is theirs. Any Node >= 18.
import { spawn } from 'node:child_process';
import os from 'node:os';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
let child = null;
let asked = null;
let passesSignals = false;

/** A launcher's first call: from here on no signal ends it and leaves its child running. */
export function passSignals() {
  if (passesSignals) return;
  passesSignals = true;
  for (const signal of signals)
    process.on(signal, () => {
      asked = signal;
      if (child === null) endBySignal(signal);
      else child.kill(signal);
    });
}

function endBySignal(signal) {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}

/** Ends this process: by the signal that it was sent, or else with this exit code. */
export function endAsAsked(exitCode) {
  if (asked === null) process.exit(exitCode);
  endBySignal(asked);
}

/**
 * Runs one step of a launcher to its end. Resolves with its exit code, null after a signal or when it could
 * not be started, and with everything it wrote.
 */
export function runStep(command, args, options = {}) {
  return new Promise((resolve) => {
    let output = '';
    const step = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
    const end = (code, text) => {
      child = null;
      resolve({ code, output: text });
    };
    child = step;
    for (const stream of [step.stdout, step.stderr])
      stream.setEncoding('utf8').on('data', (text) => {
        output += text;
      });
    step.on('error', (error) => end(null, error.message));
    step.on('close', (code) => end(code, output));
  });
}

/**
 * For Hookbench itself: blocks of 32 KB and more go back to the system when they are free. By default glibc keeps much of
 * what its threads have freed, some 20 MB at the peak (docs/benchmarks.md).
 */
export const environmentOfOurs = (env = process.env) =>
  process.platform === 'linux' ? { MALLOC_MMAP_THRESHOLD_: '32768', ...env } : env;

const NODES_THREADS = 4;

/**
 * For Hookbench itself: one core stays free of V8's own threads, of which Node starts four. When calls of another form
 * come in, V8 compiles much anew, and four of them kept the engine's thread waiting on two cores (docs/benchmarks.md).
 */
export function optionsOfOurs(cores = os.availableParallelism?.() ?? os.cpus().length, env = process.env) {
  const isChosen = env.NODE_OPTIONS?.includes('--v8-pool-size') ?? false;
  return isChosen || cores > NODES_THREADS ? [] : [`--v8-pool-size=${Math.max(1, cores - 1)}`];
}

/**
 * Starts a program that ends with this process, whose end this process takes over. With `watched` the program is
 * a Node program of ours and gets an IPC channel, which closes however this process ends, so that it stops after a
 * SIGKILL too.
 */
export function becomeChild(command, args, { watched = false, ...options } = {}) {
  passSignals();
  if (asked !== null) endBySignal(asked);
  const own = watched ? { stdio: ['inherit', 'inherit', 'inherit', 'ipc'], env: environmentOfOurs() } : {};
  child = spawn(command, watched ? [...optionsOfOurs(), ...args] : args, { stdio: 'inherit', ...own, ...options });
  child.on('error', (error) => {
    console.error(error.message);
    process.exit(127);
  });
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    endBySignal(signal);
  });
}
