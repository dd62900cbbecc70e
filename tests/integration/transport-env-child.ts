/** Run by transport-certificates.test.ts under another environment: sends one attempt and prints its result. */
import { systemClock, systemTimers } from '../../src/core/adapters/clock.ts';
import { createHttpTransport } from '../../src/core/delivery/transport/http-transport.ts';

const [url = '', ...ca] = process.argv.slice(2);
const transport = createHttpTransport({ clock: systemClock, timers: systemTimers, ca: () => ca });
const { outcome, reason } = await transport.send({ url, headers: [], body: Buffer.from('{}'), limitMs: 5000 });
await transport.close();
process.stdout.write(JSON.stringify({ outcome, reason }));
