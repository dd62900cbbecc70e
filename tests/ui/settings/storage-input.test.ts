import { describe, expect, it } from 'vitest';
import { storageInput } from '../../../src/contract/storage.ts';
import { DEFAULT_STORAGE } from '../../../src/core/model/retention.ts';
import {
  ageWithin,
  editableAge,
  editableSize,
  messagesWithin,
  STORAGE_BOUNDS,
  sizeWithin,
} from '../../../src/renderer/screens/settings/storage-input.ts';

const MB = 1024 * 1024;
const refusal = (work: () => unknown): string => {
  try {
    return `no: ${String(work())}`;
  } catch (error) {
    return (error as Error).message;
  }
};

describe('limits as they are typed', () => {
  it('are read in the ways that people write them', () => {
    expect(['100000', '100,000', '100 000', '100.000'].map(messagesWithin)).toEqual(Array(4).fill(100_000));
    expect(['1 GB', '1gb', '1024', '1024 MB', '1,0 G', '1048576 kb'].map(sizeWithin)).toEqual(Array(6).fill(1024 * MB));
    expect(['1.5 GB', '512 MB', '0.5 TB'].map(sizeWithin)).toEqual([1536 * MB, 512 * MB, 512 * 1024 * MB]);
    expect(['30', '30 days', '720 h', '0.5', '1 day'].map(ageWithin)).toEqual([30, 30, 30, 0.5, 1]);
  });

  it('are refused with what is allowed', () => {
    for (const text of ['', '99', '1e6', '12,34', '-5', '100000001', 'many'])
      expect(refusal(() => messagesWithin(text))).toBe('Enter a number from 100 to 100,000,000.');
    for (const text of ['9.9 MB', '1.1 TB', '1', '10 B'])
      expect(
        refusal(() => sizeWithin(text)),
        text,
      ).toBe('Enter a size from 10 MB to 1 TB.');
    for (const text of ['', 'big', '1 XB', '1 GB 2', '-1 GB', '1 toString'])
      expect(
        refusal(() => sizeWithin(text)),
        text,
      ).toBe(`"${text}" is not a size. Write 512 MB or 1 GB.`);
    for (const text of ['0', '1 min', '36501'])
      expect(
        refusal(() => ageWithin(text)),
        text,
      ).toBe('Enter a time from 14 min 24 s to 36,500 days.');
    expect(refusal(() => ageWithin('soon'))).toBe('"soon" is not a time. Write 30 days or 12 h.');
  });

  it('are shown so that they can be read again', () => {
    for (const bytes of [DEFAULT_STORAGE.maxBytes, 10 * MB, 1536 * MB, 10_485_761, 1_000_000_000, 1024 * 1024 * MB])
      expect(sizeWithin(editableSize(bytes)), editableSize(bytes)).toBe(bytes);
    for (const days of [30, 1, 0.5, 0.01, 36_500, 1.25])
      expect(ageWithin(editableAge(days)), editableAge(days)).toBe(days);
    expect([editableSize(DEFAULT_STORAGE.maxBytes), editableAge(30), editableAge(1), editableAge(0.5)]).toEqual([
      '1 GB',
      '30 days',
      '1 day',
      '12 h',
    ]);
  });

  it('have the bounds of the engine, neither more nor less', () => {
    for (const [name, [min, max]] of Object.entries(STORAGE_BOUNDS)) {
      const step = name === 'maxAgeDays' ? 0.001 : 1;
      const takes = (value: number) => storageInput.safeParse({ [name]: value }).success;
      expect([takes(min), takes(max), takes(min - step), takes(max + step)], name).toEqual([true, true, false, false]);
    }
  });
});
