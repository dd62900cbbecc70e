// Vitest's order of files: the longest first, so that no worker is left alone with one at the end.
import { BaseSequencer } from 'vitest/node';

/** Files that take more than 7 s on two cores, the longest first. A wrong place costs a few seconds, nothing else. */
export const LONGEST = [
  'tests/integration/pages.test.ts',
  'tests/simulation/worlds.test.ts',
  'tests/integration/kill.test.ts',
  'tests/integration/dispatcher-wave.test.ts',
  'tests/simulation/audiences/worlds.test.ts',
  'tests/ui/people/people-screen.test.tsx',
  'tests/integration/dispatcher-worlds.test.ts',
  'tests/integration/cli-serve.test.ts',
  'tests/integration/demo-cli.test.ts',
  'tests/integration/cli-list.test.ts',
  'tests/simulation/bugs.test.ts',
  'tests/integration/receiver-table.test.ts',
  'tests/integration/ingest-corpus.test.ts',
  'tests/integration/audience-crash.test.ts',
  'tests/ui/deletions/new-request.test.tsx',
  'tests/integration/cli-bin.test.ts',
  'tests/store/sqlite.test.ts',
  'tests/integration/demo.test.ts',
  'tests/ui/receivers/request-log.test.tsx',
  'tests/integration/faults-sdk.test.ts',
  'tests/integration/kill-deletions.test.ts',
  'tests/integration/closing-line.test.ts',
  'tests/integration/config-loops.test.ts',
  'tests/integration/stop.test.ts',
  'tests/simulation/clock-jumps.test.ts',
  'tests/integration/verify-snippets.test.ts',
  'tests/integration/cli-certificate.test.ts',
  'tests/integration/receivers-lab.test.ts',
  'tests/integration/store-damage.test.ts',
  'tests/ui/people/person-audiences.test.tsx',
  'tests/integration/acceptance.test.ts',
  'tests/integration/exchange-hostile.test.ts',
  'tests/ui/deletions/deletions-screen.test.tsx',
  'tests/integration/receivers-answers.test.ts',
  'tests/integration/ingest-sizes.test.ts',
  'tests/integration/sdk-matrix.test.ts',
  'tests/integration/ingest-bounds.test.ts',
  'tests/ui/overview/overview-screen.test.tsx',
  'tests/ui/live/live-screen.test.tsx',
  'tests/ui/audiences/audiences-screen.test.tsx',
  'tests/integration/kill-syncs.test.ts',
  'tests/integration/dispatcher-backlog.test.ts',
  'tests/integration/replay-cli.test.ts',
  'tests/integration/build.test.ts',
  'tests/integration/receivers-cli.test.ts',
];

const lengthRankOf = ({ moduleId }) => {
  const at = LONGEST.findIndex((name) => moduleId.endsWith(`/${name}`));
  return at === -1 ? LONGEST.length : at;
};

export default class LongestFirst extends BaseSequencer {
  /**
   * Every file of the run, by project, because a worker is shared only by files of one project that follow each other.
   * In each, those of the list in its order, then the others as Vitest orders them.
   */
  async sort(files) {
    const placeOf = ({ project }) => this.ctx.projects.indexOf(project);
    return (await super.sort(files)).sort((a, b) => placeOf(a) - placeOf(b) || lengthRankOf(a) - lengthRankOf(b));
  }
}
