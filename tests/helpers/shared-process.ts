/** Tests of rooms without sockets, mocks or time of their own: files of one worker share a process and its modules. */
const ROOMS = [
  ...['audiences', 'contract', 'deletions', 'faults', 'metrics', 'model', 'receivers', 'renderer'],
  ...['replay', 'serving', 'signature-lab', 'store', 'workspace'],
];

export const SHARED = ROOMS.map((room) => `tests/unit/${room}/**/*.test.ts`);
