import type { SyncRow } from '../../../contract/audiences.ts';
import type { GlyphName } from '../../components/glyphs.tsx';

/** The drawing of a sync's state, and its word. */
export function syncGlyph({ state, ledger }: SyncRow): { glyph: GlyphName; word: string } {
  if (state === 'preparing' || state === 'running') return { glyph: 'delivering', word: 'Running' };
  if (state === 'stopped') return { glyph: 'stopped', word: 'Stopped' };
  return ledger.failed > 0
    ? { glyph: 'failed', word: 'Done, some failed' }
    : { glyph: 'delivered', word: 'Done, all delivered' };
}
