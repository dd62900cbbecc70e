/** The thread that moves pages of the log into the main file. It makes one pass for each `pass` until it is told to stop. */
import { parentPort, workerData } from 'node:worker_threads';
import { openCheckpointFile } from '../store/checkpoint-file.ts';

const parent = parentPort!;
const file = openCheckpointFile((workerData as { readonly path: string }).path);

parent.on('message', ({ type }: { readonly type: 'pass' | 'stop' }) => {
  if (type === 'pass') return parent.postMessage(file.pass());
  file.close();
  parent.close();
});
