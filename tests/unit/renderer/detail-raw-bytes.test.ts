import { describe, expect, it } from 'vitest';
import { aboutBytes, escaped, hexDump, textOf } from '../../../src/renderer/screens/detail/raw-bytes.ts';

describe('received bytes', () => {
  it('are dumped 16 a row, the last row as wide as the others', () => {
    const bytes = Uint8Array.from([...'{"type":"track","a'].map((c) => c.charCodeAt(0)).concat([0, 0xff]));
    expect(hexDump(bytes).split('\n')).toEqual([
      '00000000  7b 22 74 79 70 65 22 3a  22 74 72 61 63 6b 22 2c  |{"type":"track",|',
      '00000010  22 61 00 ff                                       |"a..|',
    ]);
    expect(hexDump(new Uint8Array())).toBe('');
  });

  it('are escaped but for printable ASCII and line ends, so that what is hidden can be read', () => {
    expect(escaped('a\u202eb\u0000é\n\t"')).toBe('a\\u202eb\\u0000\\u00e9\n\t"');
    expect(escaped('😀')).toBe('\\ud83d\\ude00');
  });

  it('are no text when they are not UTF-8; a byte order mark stays', () => {
    expect(textOf(Uint8Array.of(0xff, 0xfe))).toBeNull();
    expect(textOf(Uint8Array.of(0xef, 0xbb, 0xbf, 0x41))).toBe('\ufeffA');
  });
});

describe('what the bytes are', () => {
  const raw = { position: 1, cutCalls: 0 };
  const cut = { position: 1, cutCalls: 2 };

  it('as received, decoded, or without a body', () => {
    expect(aboutBytes(9, false, 'text', raw)).toBe('Byte for byte as received. This message is call 2 of it.');
    expect(aboutBytes(9, true, 'text', raw)).toBe('Decoded, otherwise unchanged. This message is call 2 of it.');
    expect(aboutBytes(0, false, 'text', raw)).toBe('The request had no body.');
    expect(aboutBytes(70_000, false, 'hex', raw)).toContain('The first ');
  });

  it('never as received when calls were cut out of them', () => {
    const text = 'Not as received: 2 calls of suppressed or erased users cut out, with null in their place.';
    for (const isDecoded of [true, false])
      expect(aboutBytes(9, isDecoded, 'text', cut)).toBe(`${text} This message is call 2 of it.`);
    expect(aboutBytes(0, false, 'text', { position: 0, cutCalls: 1 })).toBe(
      'Nothing is left of the body: it held 1 call of suppressed or erased users.',
    );
  });
});
