/** Bugs of audiences and deletions that their worlds must find. See `../planted-bug.ts` for how they are planted. */
import { one, type PlantedBug } from '../planted-bug.ts';

const CHUNK = 'audiences/sync-chunk.ts';
const OUTCOMES = 'audiences/sync-outcomes.ts';
const RUN = 'audiences/sync-run.ts';
const PLAN = 'audiences/sync-plan.ts';

export const AUDIENCE_BUGS: readonly PlantedBug[] = [
  one(
    'members who did not change are told again',
    CHUNK,
    "if (call.type === 'identify') counts = summed(counts, roster.told(audience, call, at, changes));",
    '',
  ),
  one(
    'a removal is lost',
    'model/audience-user.ts',
    "const now = kind === 'audience' && value !== IN ? (sent === IN ? OUT : null) : value;",
    "const now = kind === 'audience' && value !== IN ? null : value;",
  ),
  one(
    'in and out again sends something',
    'model/audience-user.ts',
    '(sent === IN ? OUT : null)',
    '(sent === IN || before !== undefined ? OUT : null)',
  ),
  one(
    'who leaves while a sync tells it to be in is not told',
    'model/audience-user.ts',
    "const now = kind === 'audience' && value === null && told === IN ? OUT : value;",
    'const now = value;',
  ),
  {
    name: 'a sync counts twice after a crash',
    changes: [
      {
        file: 'store/syncs.ts',
        from: 'WHERE sync_id = @syncId AND message_id IS NOT NULL AND outcome IS NULL ORDER BY position`',
        to: 'WHERE sync_id = @syncId AND message_id IS NOT NULL ORDER BY position`.replace("INDEXED BY sync_calls_open", "")',
      },
    ],
    inMemory: [
      {
        file: 'syncs.ts',
        from: 'messageId !== null && outcome === null ? [{ position, messageId }] : []',
        to: 'messageId !== null ? [{ position, messageId }] : []',
      },
    ],
  },
  one('a crash after a chunk sends it again', CHUNK, '  syncs.save(sync, changes);\n  failpoint(', '  failpoint('),
  one(
    'what a chunk told is written after it',
    CHUNK,
    'roster.told(audience, call, at, changes)',
    '((deps as any).timers.after(5, () => void (deps as any).write((own: any) => roster.told(audience, call, at, own))), NO_USERS)',
  ),
  one(
    'a resumed sync skips a chunk',
    RUN,
    'const next = { ...this.#sync, state, events',
    "const skipped = what === 'resumed' ? Math.min(this.#sync.expected ?? 0, this.#sync.sent + 100) : this.#sync.sent;\n" +
      '    const next = { ...this.#sync, sent: skipped, state, events',
  ),
  one(
    'a stopped sync goes on',
    RUN,
    "if (state !== 'running' || sent === expected) return;\n    if (!this.#hasRoom",
    'if (sent === expected) return;\n    if (!this.#hasRoom',
  ),
  one(
    'a sync by hand goes on by itself after a crash',
    'audiences/syncs.ts',
    "if (run.audience.syncWhen === 'hand') await run.stopAtStart();\n      else await",
    'await',
  ),
  one(
    'a plan that a crash cut off is not thrown away',
    RUN,
    '    await this.#dropPlan();\n    let plan',
    '    let plan',
  ),
  one('a replay changes the ledger', OUTCOMES, '      this.#open.delete(id);\n', ''),
  one(
    'a failed call is counted as delivered',
    OUTCOMES,
    "const isDelivered = call.state === 'delivered';",
    "const isDelivered = call.state === 'delivered' || call.state === 'expired' || call.state === 'stopped';",
  ),
  one(
    'what ended while nothing ran is not settled',
    OUTCOMES,
    '    this.settleFinal(calls.map(({ messageId }) => messageId));\n',
    '',
  ),
  one(
    'a message in retry is shown as open',
    'audiences/ledger.ts',
    "new Set(['retrying', 'paused'])",
    "new Set(['paused'])",
  ),
  one(
    'the track call tells the opposite',
    'audiences/calls.ts',
    "told === true ? 'Audience Entered' : 'Audience Exited'",
    "told === true ? 'Audience Exited' : 'Audience Entered'",
  ),
  {
    name: 'a sync sends to a suppressed user',
    changes: [
      {
        file: CHUNK,
        from: 'calls.filter(({ userId }) => suppressed().has(userId));',
        to: "calls.filter(({ userId }) => userId === '' && suppressed().has(userId));",
      },
      { file: PLAN, from: 'if (suppressed().has(userId)) {', to: "if (suppressed().has('')) {" },
    ],
  },
  one(
    'taking a call out of a plan loses another one',
    'store/syncs.ts',
    'if (last !== position) this.#moveCall.run(changes, call);',
    'if (last !== position) this.#removeCall.run(changes, { syncId, position: last });',
    {
      file: 'syncs.ts',
      from: 'if (last === position || moved === undefined) return;',
      to: 'if (moved !== undefined) return;',
    },
  ),
  one(
    'a client sends for a suppressed user',
    'ingest/prepare.ts',
    'return userId !== null && suppressed.has(userId) ?',
    "return userId === '' && suppressed.has(userId) ?",
  ),
  one(
    'a change of members does not start a sync',
    'audiences/syncs.ts',
    "known?.audience.syncWhen !== 'change' ||",
    "known?.audience.syncWhen !== 'never' ||",
  ),
  one(
    'a notice for a source with the destination off',
    'deletions/plan.ts',
    'const destinationOn = destination.enabled && webhooks;',
    'const destinationOn = destination.enabled;',
  ),
  one(
    '`version` in the body of a notice',
    'model/body.ts',
    "return { type: 'delete', userId, timestamp };",
    "return { type: 'delete', userId, timestamp, version: 1 };",
  ),
  one(
    'a notice is sent again after a crash',
    'deletions/runner.ts',
    'deletions.sent({ id, position, sourceId, messageId: rows[i]!.id }, changes);',
    'this.#deps.timers.after(2, () => void write((own) => deletions.sent({ id, position, sourceId, messageId: rows[i]!.id }, own)));',
  ),
  one(
    'a notice whose end came in a crash stays open',
    'deletions/outcomes.ts',
    '      if (FINAL_STATES.has(state)) this.#end(messageId, state);\n    }\n  }',
    '    }\n  }',
  ),
  one(
    'an erase leaves the last step out',
    'deletions/eraser.ts',
    'return { lookedAt: rows.length < LOOKED_AT ? upTo : rows.at(-1)!.id, doomed };',
    'return { lookedAt: rows.length < LOOKED_AT ? upTo : rows.at(-1)!.id, doomed: doomed.slice(1) };',
  ),
  one(
    'the round of an erased message goes on',
    'engine/delivery-parts.ts',
    'dispatcher.removed([...removed, ...emptied])',
    'dispatcher.removed(removed.length + emptied.length < 0 ? removed : [])',
  ),
  one(
    'an erased user stays in an audience',
    'audiences/erasing.ts',
    '          store.removeUser(id, userId, changes);\n',
    '',
  ),
  one(
    'an erased user stays in the rows of a sync',
    'audiences/erasing.ts',
    'syncs.anonymise({ syncId: sync.id, position }, changes);',
    'if (position < 0) syncs.anonymise({ syncId: sync.id, position }, changes);',
  ),
  one(
    'a rule does not follow the time',
    'model/audience-rule.ts',
    '    if (withinMs === null) continue;\n',
    '    if (withinMs !== 1) continue;\n',
  ),
  one(
    'who a rule lets go stays a member',
    'audiences/computed-members.ts',
    'await this.#deps.roster.editUsers(id, users);',
    'await this.#deps.roster.editUsers(id, users.filter(({ value }) => value !== null));',
  ),
  one(
    'who left a rule while nothing ran stays a member',
    'audiences/computed.ts',
    'for (const userId of before.keys()) edits.push({ userId, value: null });',
    '',
  ),
  one(
    'a trait counts calls of every age',
    'model/computed-trait.ts',
    'const young = withinMs === null ? calls :',
    'const young = withinMs !== 1 ? calls :',
  ),
  one(
    'another value of a trait is not told',
    'model/audience-user.ts',
    "  return sent === null ? 'add' : 'change';",
    "  return sent === null ? 'add' : null;",
  ),
  // Computed traits

  one(
    'the most frequent value is the first of several',
    'model/computed-trait.ts',
    'values.findLast((value)',
    'values.find((value)',
  ),
  one(
    'first seen is the newest call',
    'model/computed-trait.ts',
    'for (const { time } of calls) first = Math.min(first, time);',
    'for (const { time } of calls) first = time;',
  ),
  one(
    'a call is as old as its receipt, whatever its timestamp says',
    'model/clock-history.ts',
    'clockAtWall(history, receivedAt) - Math.max(0, receivedAt - (timestamp ?? receivedAt));',
    'clockAtWall(history, receivedAt) - Math.min(0, receivedAt - (timestamp ?? receivedAt));',
  ),

  // Storage limits

  one(
    'a removed call still counts for rules',
    'people/people.ts',
    'if (removed.length + emptied.length > 0) {',
    'if (emptied.length > 0) {',
  ),
  one(
    'a trait of a removed identify call stays',
    'people/people-index.ts',
    'if (kind === IDENTIFY) lostIdentify.add(person);',
    '',
  ),
  {
    name: 'storage limits remove a message that still waits',
    changes: [
      {
        file: 'store/retention.ts',
        from: '!FINAL_STATES.has(state) ||\n      stays.has(id) ||',
        to: 'stays.has(id) ||',
      },
    ],
    inMemory: [
      {
        file: 'retention.ts',
        from: 'if (!FINAL_STATES.has(state) || changes.messages.has(id)) return true;',
        to: 'if (changes.messages.has(id)) return true;',
      },
    ],
  },

  // Imports

  one('an import adds a bad row', 'model/member-rows.ts', "if (id.trim() === '') return 'empty';", ''),
  one(
    'an import counts a repeated id twice',
    'model/member-rows.ts',
    '  firstLines.set(userId, row.line);\n',
    '  if (row.line < 3) firstLines.set(userId, row.line);\n',
  ),
  one(
    'a bad row stops those after it',
    'audiences/imports.ts',
    "      if (judged.result !== 'good') continue;",
    "      if (judged.result === 'bad') break;\n      if (judged.result !== 'good') continue;",
  ),
  one(
    'an import that replaces keeps who is not in the file',
    'audiences/imports.ts',
    '.filter(({ userId, value }) => value === IN && !this.#lines.has(userId))',
    '.filter(({ userId, value }) => value !== IN && !this.#lines.has(userId))',
  ),
  one(
    'an import that replaces removes who is in the file',
    'audiences/imports.ts',
    'value === IN && !this.#lines.has(userId))',
    'value === IN && userId !== [...this.#lines.keys()][0])',
  ),
  one(
    'the last member of an import is lost',
    'audiences/imports.ts',
    "const good = this.#rows.filter(({ result }) => result === 'good');",
    "const good = this.#rows.filter(({ result }, i, rows) => result === 'good' && (i === 0 || i < rows.length - 1));",
  ),
  one(
    'an import holds the piece of a row back',
    'model/member-file.ts',
    'const text = this.#rest + (',
    "const text = (isLast ? this.#rest : '') + (",
  ),

  // A store that refuses writes

  one(
    'a scheduled sync that the store refused is tried at once, again and again',
    'audiences/syncs.ts',
    '        restMs = AGAIN_MS;\n',
    '',
  ),
  one(
    'a sync on change that the store refused is forgotten',
    'audiences/syncs.ts',
    '      if (isPassing(error) && this.#isRunning) this.#beginIn(AGAIN_MS, audienceId, by);\n',
    '',
  ),
  one(
    'a stop that the store refused leaves the sync standing',
    RUN,
    '      this.#isHalted = this.#isEnded;\n      this.advance();\n      throw error;',
    '      throw error;',
  ),
  one(
    'the end of a notice that the store refused is lost',
    'deletions/deletions.ts',
    'write: (job) => deps.persist(() => deps.write(job)),',
    'write: (job) => deps.write(job),',
  ),
  one(
    'a sync whose taking up the store refused is forgotten',
    'audiences/syncs.ts',
    '      if (!isPassing(error)) return;',
    '      if (isPassing(error)) return;',
  ),

  one(
    'a refused edit changes the counts',
    'audiences/roster.ts',
    '      return { ...n, delta: counts };',
    '      this.recount(id, counts);\n      return { ...n, delta: NO_USERS };',
  ),
  one(
    'a refused chunk is taken for sent',
    CHUNK,
    "  failpoint('sync_chunk_written');",
    '  (begun as { sent: number }).sent = sync.sent;',
  ),
  one(
    'outcomes that were refused are not written again',
    OUTCOMES,
    'await persist(() =>\n        write((changes) => {',
    'await ((ask: () => Promise<unknown>) => ask().catch(() => {}))(() =>\n        write((changes) => {',
  ),
  one(
    'a chunk that was refused is not tried again',
    RUN,
    '        this.#step = null;\n        this.#lookLater();',
    '        this.#step = null;',
  ),
  one(
    'what a rule found and the store refused is forgotten',
    'audiences/computed-members.ts',
    '        this.#whole.delete(audience.id);\n        failure = error;',
    '        failure = error;',
  ),
];

/** Every run of the tests plants these. */
export const AUDIENCE_BUGS_IN_TESTS = [
  'a removal is lost',
  'a sync counts twice after a crash',
  'a notice for a source with the destination off',
  'a rule does not follow the time',
  'a removed call still counts for rules',
  'an import counts a repeated id twice',
] as const;
