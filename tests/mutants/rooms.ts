/** The rooms whose code is mutated, each with the tests that run in its process and must notice. */

export interface Room {
  readonly mutate: readonly string[];
  /** Globs of test files. A mutant lives in one process, so tests that start processes or threads cannot see it. */
  readonly tests: readonly string[];
  /** The tests run in one process without vitest, which is much faster. They mock no module and share nothing. */
  readonly inProcess?: true;
}

/** Tests that need sockets or files. The rest of ingest is tested in memory, which is much faster. */
const SOCKETS =
  'src/core/ingest/{body-reader,broken-request,browser-sdk,https,listen-error,listener,listener-state,port-holder,server}.ts';

/** What reads answers from bytes: no sockets. */
const ANSWERS =
  'src/core/delivery/transport/{answer-framing,answer-head,answer-reader,chunked-body,framed-body,head-reader}.ts';

/** Without what is slow (property tests), needs sockets, or mocks a module. */
const IN_MEMORY_INGEST =
  'tests/unit/ingest/!(*.property|annotate|body-reader|broken-request|listener-state|port-holder|server).test.ts';

export const ROOMS: Readonly<Record<string, Room>> = {
  model: {
    mutate: ['src/core/model/**/*.ts'],
    tests: ['tests/unit/model/**/*.test.ts', IN_MEMORY_INGEST],
    inProcess: true,
  },
  answers: {
    mutate: [ANSWERS],
    tests: ['tests/unit/delivery/{answer-framing,answer-head,answer-reader,framed-body,head-reader}.test.ts'],
    inProcess: true,
  },
  delivery: {
    mutate: ['src/core/delivery/**/*.ts', `!${ANSWERS}`],
    // Left out for their length: dispatcher-worlds, dispatcher-wave, transport-limits.
    tests: [
      'tests/unit/delivery/**/*.test.ts',
      'tests/integration/dispatcher-{rounds,backlog,person,interruptions,window,replay}.test.ts',
      'tests/integration/transport-{certificates,connections,redirects}.test.ts',
    ],
  },
  store: {
    mutate: ['src/core/store/**/*.ts'],
    tests: [
      'tests/unit/store/**/*.test.ts',
      'tests/store/**/*.test.ts',
      'tests/unit/metrics/**/*.test.ts',
      'tests/unit/receivers/store.test.ts',
      'tests/unit/search/search-{host,index}.test.ts',
    ],
    inProcess: true,
  },
  search: {
    // The thread, and most of search.ts, are tested on the whole engine.
    mutate: ['src/core/search/{finding,grams,index-data,received,search-host,search-index,segment}.ts'],
    tests: [
      'tests/unit/search/{finding,grams,host-in-memory,index-data,index-in-memory,received,search-host,search-index,segment}.test.ts',
    ],
    inProcess: true,
  },
  ingest: {
    mutate: ['src/core/ingest/**/*.ts', `!${SOCKETS}`],
    // Without the property tests, which take seconds each: nearly every mutant would wait for them.
    tests: ['tests/unit/ingest/!(*.property|body-reader|broken-request|listener-state|port-holder|server).test.ts'],
  },
  listener: {
    mutate: [SOCKETS],
    tests: [
      'tests/unit/ingest/{body-reader,broken-request,listener-state,port-holder,server}.test.ts',
      'tests/integration/ingest-{service-routes,listener,listener-connections,listener-edges,https-state}.test.ts',
    ],
  },
  deletions: {
    // The rest is tested on the whole engine, which takes too long for each mutant.
    mutate: ['src/core/deletions/{eraser,leaving,mentions,plan,preview,search,state,suppressions,user-calls}.ts'],
    tests: ['tests/unit/deletions/**/*.test.ts'],
    inProcess: true,
  },
  audiences: {
    // The rest of audiences is tested on the whole engine and in simulated worlds.
    mutate: [
      'src/core/audiences/{sync-pruner,computed,computed-members}.ts',
      'src/core/people/!(handlers|messages|people-worker).ts',
    ],
    tests: ['tests/unit/{audiences,people}/**/*.test.ts'],
    inProcess: true,
  },
  'signature-lab': {
    mutate: ['src/core/signature-lab/**/*.ts'],
    tests: ['tests/unit/signature-lab/**/*.test.ts'],
    inProcess: true,
  },
  client: {
    mutate: ['src/client/**/*.ts'],
    tests: ['tests/unit/client/**/*.test.ts', 'tests/integration/client-{wire,faults}.test.ts'],
  },
  access: {
    mutate: ['src/headless/access.ts', 'src/headless/launch-codes.ts'],
    tests: ['tests/unit/headless/**/*.test.ts', 'tests/integration/headless-{server,connections}.test.ts'],
  },
  main: {
    // Four files do nothing but call Electron: the desktop suite runs them in a process of their own.
    mutate: ['src/main/**/*.ts', '!src/main/{index,app,window,workspace-window,menu}.ts'],
    // Not the test that reads sources as text, because it checks only their text.
    tests: ['tests/unit/main/!(electron-calls).test.ts'],
  },
};
