/** The commands of audiences and computed traits. The contract's edge has already checked their arguments. */
import type { audienceCommands } from '../../contract/audiences.ts';
import type { Handlers } from '../../contract/channel.ts';
import type { Audiences } from './audiences.ts';
import { syncCallRow } from './views.ts';

export function createAudienceHandlers(audiences: Audiences): Pick<Handlers, keyof typeof audienceCommands> {
  const { syncs, imports } = audiences;
  return {
    'audiences.list': () => audiences.view(),
    'audiences.get': ({ id }) => audiences.detail(id),
    'audiences.property': (asked) => audiences.propertyView(asked),
    'audiences.save': (edit) => audiences.save(edit),
    'audiences.remove': async ({ id }) => {
      await audiences.remove(id);
      return null;
    },
    'audiences.pending': ({ id, after, limit }) => audiences.pending(id, after ?? null, limit),
    'audiences.members': ({ id, after, limit, search }) => audiences.members(id, after ?? null, limit, search),
    'audiences.withUser': ({ userIds }) => audiences.withUser(userIds),
    'audiences.editMembers': ({ id, add = [], remove = [] }) => audiences.editMembers(id, add, remove),

    'audiences.importOpen': ({ id, fileName }) => imports.open(id, fileName ?? null).view(),
    'audiences.importText': ({ import: token, text, last }) => {
      const one = imports.get(token);
      one.read(text, last);
      return one.view();
    },
    'audiences.importView': ({ import: token }) => imports.get(token).view(),
    'audiences.importColumns': async ({ import: token, ...columns }) => {
      const one = imports.get(token);
      await one.choose(columns);
      return one.view();
    },
    'audiences.importRows': ({ import: token, ...window }) => imports.get(token).rows(window),
    'audiences.importRun': async ({ import: token, mode }) => {
      const one = imports.get(token);
      const edited = await one.run(mode);
      return audiences.edited(one.view().audienceId, edited);
    },
    'audiences.importClose': ({ import: token }) => {
      imports.close(token);
      return null;
    },

    'audiences.dryRun': ({ id, after, limit }) => audiences.dryRun(id, after ?? null, limit),
    'audiences.sync': async ({ id }) => {
      const sync = await syncs.begin(id, 'person');
      return sync === null ? null : audiences.syncRow(sync);
    },
    'audiences.stopSync': async ({ sync }) => audiences.syncRow(await syncs.stopSync(sync)),
    'audiences.resumeSync': async ({ sync }) => audiences.syncRow(await syncs.resumeSync(sync)),
    'audiences.getSync': ({ id, n }) => audiences.syncDetail(id, n),
    'audiences.syncs': ({ id, kind, before, limit }) =>
      audiences.list({ id: id ?? null, kind: kind ?? null, before: before ?? null, limit }),
    'audiences.syncCalls': ({ sync, show, after, limit }) => {
      const { kind, calls } = audiences.calls(sync, show, after ?? 0, limit);
      return { rows: calls.map(syncCallRow(kind)), next: calls.length === limit ? calls.at(-1)!.position : null };
    },
  };
}
