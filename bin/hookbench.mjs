#!/usr/bin/env node
// Starts the command line with the pinned Node, after a build where the sources are newer. Any Node >= 18.
import { join } from 'node:path';
import { buildIfStale } from '../tools/build-if-stale.mjs';
import { nodeOrExit, root } from '../tools/pinned-node.mjs';
import { becomeChild, endAsAsked, passSignals } from '../tools/run-child.mjs';

passSignals();
const node = nodeOrExit();
if (!(await buildIfStale())) endAsAsked(1);
becomeChild(node, [join(root, 'out', 'main', 'cli.js'), ...process.argv.slice(2)], { watched: true });
