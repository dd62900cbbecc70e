// node tools/with-node.mjs CMD …: runs CMD with the pinned Node and the project's programs first on the path.
import { environment, nodeOrExit } from './pinned-node.mjs';
import { becomeChild, passSignals } from './run-child.mjs';

passSignals();
nodeOrExit();
const [command, ...args] = process.argv.slice(2);
becomeChild(command, args, { env: environment(), shell: process.platform === 'win32' });
