/** `npm run fuzz:contract -- --texts 20000 --seed N`: exit code 1 when the engine ended once. */
import { parseArgs } from 'node:util';
import { fuzzContract } from './contract.ts';

const { values } = parseArgs({ options: { texts: { type: 'string' }, seed: { type: 'string' } } });
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const perWay = Math.ceil(Number(values.texts ?? 20_000) / 3);
const result = await fuzzContract(perWay, seed);
console.log(JSON.stringify({ texts: perWay * 3, seed, ...result }));
process.exitCode = result.restarts === 0 && result.counted > 0 ? 0 : 1;
