/** Bugs of rounds and what they send. */
import { one, type PlantedBug } from './planted-bug.ts';

export const DELIVERY_BUGS: readonly PlantedBug[] = [
  one(
    'a 2xx does not end a message when another webhook fails',
    'model/schedule.ts',
    "if (results.some((result) => result.outcome === 'accepted')) return { state: 'delivered' };",
    "if (results.every((result) => result.outcome === 'accepted')) return { state: 'delivered' };",
  ),
  {
    name: 'the final check is missing when a sender becomes free',
    changes: [
      {
        file: 'delivery/round.ts',
        from: 'return this.isSettled ? [] : this.#webhooks.all(isOpening);',
        to: 'return this.#webhooks.all(isOpening);',
      },
      {
        file: 'delivery/rounds.ts',
        from: 'wire !== null && this.#context.maySend() && !round.isSettled;',
        to: 'wire !== null && this.#context.maySend();',
      },
    ],
  },
  one(
    'the body is made anew for each attempt',
    'delivery/sender.ts',
    '      body: wire,',
    '      body: Buffer.from(JSON.stringify({ ...JSON.parse(Buffer.from(wire).toString()), sentAt: atSeconds })),',
  ),
  {
    name: 'without a readable secret it is sent unsigned',
    changes: [
      {
        file: 'delivery/sender.ts',
        from: 'const secret = signed ? this.#settings.secret() : null;',
        to: 'const secret = signed ? (this.#settings.secret() ?? null) : null;',
      },
      {
        file: 'engine/apply-delivery.ts',
        from: 'dispatcher.hold(!workspace.secretsReadable || ',
        to: 'dispatcher.hold(',
      },
    ],
  },
  {
    name: 'a message that is under way is dispatched again',
    changes: [
      {
        file: 'delivery/due-queue.ts',
        from: 'while (message !== undefined && this.#deps.isTaken(message.id)) message = this.#ready.takeFirst();',
        to: 'return message;',
      },
      {
        file: 'delivery/due-queue.ts',
        from: 'if (!this.#deps.isTaken(message.id)) this.#ready.set(message.id, message);',
        to: 'this.#ready.set(message.id, message);',
      },
      {
        file: 'store/message-moves.ts',
        from: 'WHERE state = @fromState AND round = @fromRound',
        to: 'WHERE true',
      },
    ],
    inMemory: [
      {
        file: 'moves.ts',
        from: 'if (row === undefined || row.state !== from.state || row.round !== from.round) return false;',
        to: 'if (row === undefined) return false;',
      },
    ],
  },
  one(
    'a first round is sent before the commit that stores its message',
    'delivery/arrivals.ts',
    'rounds = this.#begin(arrived, messages, changes);',
    'for (const round of this.#begin(arrived, messages, changes)) round.committed();',
  ),
  one(
    'a first round lives on when its message was not stored',
    'delivery/arrivals.ts',
    'for (const round of rounds) round.undone();',
    '',
  ),
  one(
    'a first round is begun and never sent',
    'delivery/arrivals.ts',
    'for (const round of rounds) round.committed();',
    '',
  ),
  one(
    'a webhook that declined is tried again',
    'delivery/prospects.ts',
    '!isLeftOut(rules, outcome));',
    'webhooks.length > 0);',
  ),
  one(
    'a result that cannot be written is dropped',
    'delivery/store-guard.ts',
    'if (!isPassing(error) || this.#stopped) throw error;',
    'throw error;',
  ),
  one(
    'a webhook that was switched off is still tried',
    'delivery/dispatcher.ts',
    'this.#webhooks = webhooks;',
    'if (this.#webhooks.length !== webhooks.length) this.#webhooks = webhooks;',
  ),
  one(
    'a header value is logged',
    'delivery/dispatcher.ts',
    'this.#webhooks = webhooks;',
    "this.#webhooks = webhooks;\n    this.#deps.logger.log('debug', 'webhooks', { all: JSON.stringify(webhooks) });",
  ),
  one(
    'a static header is stored in clear text',
    'delivery/sender.ts',
    'const requestHeaders = keepSentHeaders(result.requestHeaders, statics);',
    'const requestHeaders = result.requestHeaders;',
  ),
  {
    name: 'a cell is kept when the write that begins its attempt fails',
    changes: [
      {
        file: 'delivery/round.ts',
        from: "reason === null ? { kind: 'waiting' }",
        to: "reason === null ? { kind: 'waiting', cell: 's' }",
      },
      { file: 'delivery/round-webhooks.ts', from: "return 'w';", to: "return state.cell ?? 'w';" },
    ],
  },
  {
    name: 'a lost race is told as a move',
    changes: [
      {
        file: 'delivery/rounds.ts',
        from: 'this.#committed(round, unwritten, attempts, lost === null);',
        to: 'this.#committed(round, unwritten, attempts, true);',
      },
      { file: 'delivery/roundless-moves.ts', from: 'if (!tookPlace) lostMoves.add(move);', to: 'if (false) return;' },
    ],
  },
  one(
    'a message that waits says that it is delivering',
    'model/moves.ts',
    "(isOpen ? 'delivering' : 'waiting')",
    "'delivering'",
  ),
  {
    name: 'a round is concluded again with each result',
    changes: [
      {
        file: 'delivery/rounds.ts',
        from: 'if (!round.isSettled && (round.hasAccepted || round.isDone)) this.#settle(round);',
        to: 'if (round.hasAccepted || round.isDone) this.#settle(round);',
      },
      {
        file: 'delivery/round.ts',
        from: 'if (this.#ending !== null && this.#move === null) {',
        to: 'if (this.#ending !== null && (this.#move === null || ended.length > 0)) {',
      },
    ],
  },
  one('a round that only waits keeps its bytes', 'delivery/rounds.ts', '    round.wire = null;\n', ''),
];
