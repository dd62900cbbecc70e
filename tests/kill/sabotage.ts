/**
 * Copies of the built program with a planted fault. A kill run on one must report violations; otherwise the judge is
 * blind. `npm run kill -- --sabotage NAME`.
 */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Edit {
  /** The text in the build. White space matches any white space. */
  readonly from: string;
  readonly to: string;
}

/** Each fault names the judge's rule that must find it. */
export const sabotages: Readonly<Record<string, readonly Edit[]>> = {
  /** Calls are answered while the transaction is open, and only every 50th transaction is committed. */
  ack_before_commit: [
    { from: 'this.#begin.run();', to: 'if (!this.#db.inTransaction) this.#begin.run();' },
    { from: 'this.#end.run();', to: 'if ((this.lazy = (this.lazy ?? 0) + 1) % 50 === 0) this.#end.run();' },
  ],
  /** Recovery treats some delivered messages as if they were being delivered. */
  revive_final: [
    {
      from: `UNDER_WAY = "(state = 'delivering' OR state = 'waiting')"`,
      to: `UNDER_WAY = "state = 'delivering' OR state = 'waiting' OR (state = 'delivered' AND id % 40 = 0)"`,
    },
  ],
  /** A migration is not one transaction (`--failpoints --only migrating`). */
  migration_in_pieces: [
    {
      from: 'db.transaction(() => { applyMigrations(db, from,',
      to: '((run) => ({ immediate: run }))(() => { applyMigrations(db, from,',
    },
  ],
  /** Attempts are sent first and written when they have ended. No round begins with its message. */
  row_after_send: [
    { from: 'return this.#mayStart && this.#due.isEmpty', to: 'return false' },
    {
      from: 'const { guard } = this.#context; round.isWriting = true;',
      to: `const { guard } = this.#context; round.isWriting = true;
           if (!round.hasBegun && !round.early) {
             const sendEarly = (webhook) => this.#deps.sender.send(webhook, round.wire, round.message.id);
             round.early = new Map(round.unwritten().opening.map((webhook) => [webhook.id, sendEarly(webhook)]));
             return void Promise.all(round.early.values()).then(() => this.#write(round));
           }`,
    },
    {
      from: 'sender.send(webhook, wire, round.message.id, { attempt: attempt.id })',
      to: '(round.early?.get(webhook.id) ?? sender.send(webhook, wire, round.message.id, { attempt: attempt.id }))',
    },
  ],
};

const pattern = (text: string): RegExp =>
  new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\s+/g, '\\s*'), 'g');

function edited(code: string, edits: readonly Edit[]): string {
  let text = code;
  for (const { from, to } of edits) {
    const hits = text.match(pattern(from))?.length ?? 0;
    if (hits !== 1) throw new Error(`The build has ${JSON.stringify(from)} ${hits} times; the sabotage is stale.`);
    text = text.replace(pattern(from), () => to);
  }
  return text;
}

/** Throws when there is no such fault, or when the build does not look as it expects. */
export function sabotagedCli(cli: string, name: string): { readonly cli: string; remove(): void } {
  const edits = sabotages[name];
  if (edits === undefined) throw new Error(`There is no ${name}; there are ${Object.keys(sabotages).join(', ')}.`);
  const out = join(cli, '../..');
  const root = join(import.meta.dirname, '../..');
  const folder = mkdtempSync(join(tmpdir(), 'hookbench-sabotage-'));
  cpSync(out, join(folder, 'out'), { recursive: true });
  cpSync(join(root, 'package.json'), join(folder, 'package.json'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  const chunks = join(folder, 'out/main/chunks');
  const worker = join(chunks, readdirSync(chunks).find((file) => file.startsWith('engine-worker'))!);
  writeFileSync(worker, edited(readFileSync(worker, 'utf8'), edits));
  return { cli: join(folder, 'out/main/cli.js'), remove: () => rmSync(folder, { recursive: true, force: true }) };
}
