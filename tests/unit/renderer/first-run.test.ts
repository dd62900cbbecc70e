import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { highlight } from '../../../src/renderer/screens/first-run/highlight.ts';
import { snippets } from '../../../src/renderer/screens/first-run/snippets.ts';

const all = snippets('http://localhost:9001', 'wk_dev_7f3a9c');

describe('the six snippets', () => {
  it('have the address and the write key filled in', () => {
    expect(all.map(({ name }) => name)).toEqual(['Go', 'Go v2', 'Node.js', 'Python', 'Browser JS', 'curl']);
    for (const { name, code } of all) {
      expect(code, name).toContain('localhost:9001');
      expect(code, name).toContain('wk_dev_7f3a9c');
      expect(code, name).not.toContain('8765');
    }
  });

  it('quote a write key that has quotes in it', () => {
    const [go, , node, python, , curl] = snippets('http://localhost:1', `a"b'c\\d`);
    expect(go?.code).toContain(String.raw`"a\"b'c\\d"`);
    expect(node?.code).toContain(String.raw`'a"b\'c\\d'`);
    expect(python?.code).toContain(String.raw`"a\"b'c\\d"`);
    expect(curl?.code).toContain(`'a"b'\\''c\\d:'`);
  });

  it('are coloured without losing a character', () => {
    for (const { code, language } of all)
      for (const line of code.split('\n'))
        expect(
          highlight(line, language)
            .map(({ text }) => text)
            .join(''),
        ).toBe(line);
    fc.assert(
      fc.property(
        fc.string(),
        fc.constantFrom('go' as const, 'javascript' as const, 'python' as const, 'shell' as const),
        (line, language) => {
          expect(
            highlight(line, language)
              .map(({ text }) => text)
              .join(''),
          ).toBe(line);
        },
      ),
    );
  });

  it('colour words, strings and comments, and take a URL for no comment', () => {
    expect(highlight('	BatchSize: 1, // send every call', 'go').at(-1)).toEqual({
      text: '// send every call',
      kind: 'comment',
    });
    expect(highlight('curl http://localhost:9001/v1/track', 'shell').every(({ kind }) => kind === 'plain')).toBe(true);
    expect(highlight('const a = "b"', 'javascript').map(({ kind }) => kind)).toEqual(['word', 'plain', 'string']);
  });
});
