export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}
export const folderVariable: string;
export function writeCounts(stage: string, counts: Counts): void;
export function readCounts(folder: string, stage: string, exitCode: number | null): Counts;
export function sum(all: readonly Counts[]): Counts;
export function closingLine(counts: Counts): string;
export function exitCodeOf(counts: Counts): number;
export function readNotes(folder: string, stage: string): string[];
