// Loaded before the app: keeps its worker threads, so that a test can end the engine's as a crash would.
const threads = require('node:worker_threads');
const { Worker } = threads;
globalThis.keptWorkers = [];
threads.Worker = class extends Worker {
  constructor(...args) {
    super(...args);
    globalThis.keptWorkers.push(this);
  }
};
require('node:module').syncBuiltinESMExports();
