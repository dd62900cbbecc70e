// Loaded into Node before the engine: both clocks stand, the wall clock at PICTURES_NOW (epoch milliseconds), and every
// number that the engine draws by chance is one half.
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

const now = Number(process.env.PICTURES_NOW);
globalThis.Date = class extends Date {
  constructor(...given) {
    super(...(given.length === 0 ? [now] : given));
  }
  static now() {
    return now;
  }
};
performance.now = () => 60_000;

const { randomFillSync } = crypto;
crypto.randomFillSync = (buffer, ...rest) =>
  buffer instanceof BigUint64Array ? buffer.fill(2n ** 63n) : randomFillSync(buffer, ...rest);
syncBuiltinESMExports();
