/** The switches of a source, which stand on two screens. */
import type { SourceView } from '../../contract/values.ts';
import { call } from '../platform/connect.ts';
import { inOrder, newest } from '../stores/edits.ts';
import { applySource, useRecords } from '../stores/records.ts';
import { tracked } from '../stores/saves.ts';
import { showFailure } from '../stores/toasts.ts';

export async function changeSource(
  source: SourceView,
  part: Partial<Pick<SourceView, 'enabled' | 'webhooks'>>,
): Promise<void> {
  try {
    await inOrder(async () => {
      const { id, name, writeKey, kind, enabled, webhooks } = newest(useRecords.getState().sources, source);
      applySource(await tracked(call('sources.save', { id, name, writeKey, kind, enabled, webhooks, ...part })));
    });
  } catch (error) {
    showFailure(`change ${source.name}`, error);
  }
}
