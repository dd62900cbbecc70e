import { describe, expect, test } from 'vitest';
import { ingestPortArgument, userDataOf, workspaceArgument } from '../../../src/main/arguments.ts';

test.each<[string[], string | null]>([
  [['electron', '.'], null],
  [['electron', '.', '--workspace', '/w'], '/w'],
  [['electron', '.', '--workspace=/w'], '/w'],
  [['electron', '.', '--workspace', 'here'], '/home/here'],
  [['electron', '.', '--no-sandbox', '--workspace=here/too', '--x'], '/home/here/too'],
  [['electron', '.', '--workspace'], null],
  [['electron', '.', '--workspace='], null],
  [['electron', '.', '--workspace', '--ingest-port=1'], null],
])('the workspace of %j is %j', (argv, workspace) => {
  expect(workspaceArgument(argv, '/home')).toBe(workspace);
});

test.each<[string[], number | undefined]>([
  [[], undefined],
  [['--ingest-port', '8765'], 8765],
  [['--ingest-port=0'], 0],
  [['--ingest-port=65536'], undefined],
  [['--ingest-port=-1'], undefined],
  [['--ingest-port=1e3'], undefined],
])('the port of %j is %j', (argv, port) => {
  expect(ingestPortArgument(argv)).toBe(port);
});

describe('where a workspace keeps its own', () => {
  test('the default one lies in the app folder', () => {
    expect(userDataOf('/app', null)).toEqual({ userData: '/app', workspace: '/app/workspaces/default' });
  });

  test('every other one has its own user data, and so its own lock for a single instance', () => {
    const [a, b] = [userDataOf('/app', '/a'), userDataOf('/app', '/b')];
    expect(a.workspace).toBe('/a');
    expect(a.userData).toMatch(/^\/app\/profiles\/[0-9a-f]{24}$/);
    expect(a.userData).not.toBe(b.userData);
    expect(userDataOf('/app', '/a')).toEqual(a);
  });
});
