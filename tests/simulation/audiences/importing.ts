/** A person imports a file: its rows are counted as they are, and its members join in steps. */
import type { ImportView, MembersChanged } from '../../../src/contract/audiences.ts';
import { type ImportFile, piecesOf } from './import-file.ts';
import type { AudienceModel, Edit } from './model.ts';
import type { Answer, People } from './people.ts';

/** Members that one transaction takes. */
const STEP = 500;

export interface ImportWish {
  readonly mode: 'add' | 'replace';
  /** Characters of a piece. */
  readonly piece: number;
  /** Runs right before the members are added. */
  readonly onRun: () => void;
}

export async function importFile(people: People, audience: AudienceModel, file: ImportFile, wish: ImportWish) {
  const opened = await people.ask('audiences.importOpen', { id: audience.id, fileName: 'members' });
  if (!opened) return;
  const { import: token } = opened.value as ImportView;
  const pieces = piecesOf(file.text, wish.piece);
  let view: ImportView | null = null;
  for (const [i, text] of pieces.entries()) {
    const read = await people.ask('audiences.importText', { import: token, text, last: i === pieces.length - 1 });
    if (!read) return;
    view = read.value as ImportView;
  }
  checkRows(people, view!, file);
  if (view!.state !== 'ready' || file.good.length === 0) return;
  await people.change(audience, stepsOf(audience, file.good, wish.mode), async () => {
    wish.onRun();
    const run = (await people.ask('audiences.importRun', { import: token, mode: wish.mode })) as Answer<MembersChanged>;
    if (run) people.imports += 1;
    return run;
  });
}

/** Good rows, duplicates and bad rows add up to the rows of the file. */
function checkRows(people: People, { rows, good, duplicates, bad }: ImportView, file: ImportFile): void {
  const seen = { rows, good, duplicates, bad };
  const wanted = {
    rows: file.good.length + file.duplicates + file.bad,
    good: file.good.length,
    duplicates: file.duplicates,
    bad: file.bad,
  };
  if (JSON.stringify(seen) !== JSON.stringify(wanted))
    people.violate(
      'an import counts other rows',
      `${JSON.stringify(seen)}, not ${JSON.stringify(wanted)}: ${file.text}`,
    );
}

/** Adds in steps of 500; with `replace`, then removes in one step who is not in the file. */
export function stepsOf({ members }: AudienceModel, good: readonly string[], mode: ImportWish['mode']): Edit[] {
  const steps: Edit[] = [];
  for (let at = 0; at < good.length; at += STEP) steps.push({ add: good.slice(at, at + STEP), remove: [] });
  const others = [...members.keys()].filter((userId) => !good.includes(userId));
  return mode === 'add' || others.length === 0 ? steps : [...steps, { add: [], remove: others }];
}
