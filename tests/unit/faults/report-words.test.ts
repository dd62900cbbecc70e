/** The report as Markdown and as text. */
import { expect, test } from 'vitest';
import { reportMarkdown, reportText } from '../../../src/contract/fault-words.ts';
import { Script, status } from './scripted-client.ts';

test('the Markdown has one table, whatever the client calls itself', async () => {
  const script = new Script({ library: 'evil | lib\n\n# x', version: '1|2' });
  await script.history('m', status(503), [500], null);
  const text = reportMarkdown(script.report());
  const rows = text.split('\n').filter((line) => line.startsWith('|'));
  expect(rows.length).toBe(script.report().lines.length + 2);
  expect(rows.every((row) => row.replaceAll('\\|', '').split('|').length === 6)).toBe(true);
  expect(text.split('\n').filter((line) => line.startsWith('#'))).toHaveLength(1);
});

test('on a terminal nothing is escaped, and what a client chose stays in its line', async () => {
  const script = new Script({ library: 'my_own*lib|\n## x', version: '1' });
  await script.history('m', status(503, 2), [2_000], null);
  const text = reportText(script.report());
  expect(text.split('\n')[0]).toBe('my_own*lib| ## x 1');
  expect(text).not.toContain('\\');
  expect(text).toContain('\n  no policy known  Wait after Retry-After 2 on 503: 2.0 s after Retry-After 2\n');
  expect(text).not.toMatch(/^\|/m);
});

test('a client of another version, and one whose name another shares, are told so', () => {
  const of = (library: string, version: string) => {
    const script = new Script({ library, version });
    void script.request(['m'], status(503));
    return reportMarkdown(script.report());
  };
  expect(of('analytics-go', '1.2.0')).toContain(
    'Compared with analytics-go 2.0.0, measured with the real client. That is another version of it',
  );
  expect(of('analytics-go', '2.1.1')).not.toContain('another version');
  expect(of('analytics-python', '2.1.4')).toContain("RudderStack's Python library names itself analytics-python too");
});
