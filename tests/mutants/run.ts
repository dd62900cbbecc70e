/**
 * Mutation testing: `npm run mutants [-- ROOM…] [--files GLOB]… [--tests GLOB]… [--jobs N] [--timeout MS] [--least
 * PERCENT]`. Stryker changes one place of the code at a time. A change that no test notices is a defect of the tests.
 * Exit code 1: a room is below the least score (90 %), or survivors.json has no reason for a survivor.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { compare, type Explained, percent, type Report, scoreOf } from './report.ts';
import { ROOMS, type Room } from './rooms.ts';

const root = join(import.meta.dirname, '../..');
const reports = join(root, 'coverage/mutants');
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    files: { type: 'string', multiple: true },
    tests: { type: 'string', multiple: true },
    jobs: { type: 'string', default: '2' },
    // A slow run on a busy machine must not look like a mutant that hangs.
    timeout: { type: 'string', default: '20000' },
    least: { type: 'string', default: '90' },
  },
});

function configOf(name: string, room: Room): string {
  const file = join(reports, `${name}.config.json`);
  const config = {
    testRunner: room.inProcess === true ? 'in-process' : 'vitest',
    plugins: ['@stryker-mutator/vitest-runner', './tests/mutants/in-process/runner.ts'],
    // Modules that were loaded for earlier mutants stay in memory.
    maxTestRunnerReuse: room.inProcess === true ? 1_000 : 0,
    vitest: { configFile: 'tests/mutants/vitest.config.ts', related: false },
    coverageAnalysis: 'perTest',
    mutate: values.files ?? room.mutate,
    concurrency: Number(values.jobs),
    timeoutMS: Number(values.timeout),
    timeoutFactor: 3,
    dryRunTimeoutMinutes: 60,
    // TypeScript 7 has no API, so Stryker reads tsconfig.json with TypeScript 5.
    tsconfigFile: 'none.json',
    reporters: ['json', 'progress-append-only'],
    jsonReporter: { fileName: join(reports, `${name}.json`) },
    // Of what `in-process` notes, nothing may come from another run.
    ignorePatterns: ['out', 'coverage', 'test-results', 'playwright-report', 'hung-mutants.txt', 'test-times.json'],
    // Nothing checks types there, and taking them out of every file takes long.
    disableTypeChecks: false,
    tempDirName: join('coverage', 'mutants', `sandbox-${name}`),
  };
  writeFileSync(file, JSON.stringify(config, null, 2));
  return file;
}

function mutate(name: string, room: Room): Report {
  rmSync(join(reports, `${name}.json`), { force: true });
  const { status } = spawnSync('stryker', ['run', configOf(name, room)], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, HOOKBENCH_MUTANT_TESTS: (values.tests ?? room.tests).join('\n') },
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error(`Stryker ended with ${status} in the room ${name}.`);
  return JSON.parse(readFileSync(join(reports, `${name}.json`), 'utf8')) as Report;
}

mkdirSync(reports, { recursive: true });
const explained = JSON.parse(readFileSync(join(import.meta.dirname, 'survivors.json'), 'utf8')) as Explained[];
const rows: string[] = [];
for (const name of positionals.length === 0 ? Object.keys(ROOMS) : positionals) {
  const room = ROOMS[name];
  if (room === undefined) throw new Error(`There is no room ${name}. There are: ${Object.keys(ROOMS).join(', ')}.`);
  const report = mutate(name, room);
  const score = scoreOf(report);
  const { unexplained, outdated } = compare(
    score,
    explained.filter(({ file }) => file in report.files),
  );
  for (const { at, line, replacement } of unexplained) console.log(`SURVIVED ${at}\n  - ${line}\n  + ${replacement}`);
  for (const { file, line } of outdated) console.log(`EXPLAINED FOR NOTHING ${file}: ${line}`);
  const all = score.killed + score.survivors.length;
  if (all === 0)
    throw new Error(`Nothing was changed in the room ${name}: no file fits, or nothing in it can be changed.`);
  rows.push(`${name}: ${score.killed} of ${all} killed (${percent(score)} %), ${unexplained.length} unexplained`);
  if (percent(score) < Number(values.least) || unexplained.length > 0) process.exitCode = 1;
}
console.log(rows.join('\n'));
