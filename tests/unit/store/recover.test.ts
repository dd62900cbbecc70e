/** What a start makes of attempts that a crash left open, on rows as they may lie in the store. */
import { expect, test } from 'vitest';
import { Changes } from '../../../src/core/store/ports/changes.ts';
import { Core, newMessage, newRequest, webhookOf } from '../../helpers/core-fixture.ts';
import { tempWorkspace } from '../../helpers/temp-workspace.ts';

test('an interrupted attempt of a round is marked on its message, one of a replay is not', async () => {
  const core = new Core({ folder: tempWorkspace() });
  const { requests, deliveries, db, lists } = core;
  await core.done(
    requests.storeRequest({
      request: newRequest(),
      messages: [newMessage('own'), newMessage('replayed')],
      dedupe: true,
      dueAt: 1,
    }),
  );
  db.exec("UPDATE messages SET cells = 'sa...'");
  const { id: webhookId, slot, name: webhookName, url } = webhookOf(1);
  const attempt = { webhookId, slot, webhookName, url, round: 1, startedAt: 1, clockAt: 1 };
  deliveries.openAttempt({ messageId: 1, replayId: null, ...attempt });
  deliveries.openAttempt({ messageId: 2, replayId: deliveries.openReplay(2, 1, [1], new Changes()), ...attempt });
  expect(deliveries.recover(5, 5, new Changes())).toBe(2);
  expect(lists.messages([1, 2]).map(({ cells }) => cells)).toEqual(['ia...', 'sa...']);
});
