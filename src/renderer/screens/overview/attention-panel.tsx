/** What needs attention, most pressing first, each with an action. */
import { useState } from 'react';
import type { AttentionView, OverviewRange } from '../../../contract/overview.ts';
import { Panel } from '../../components/charts/chart-panel.tsx';
import { Glyph } from '../../components/glyph.tsx';
import { Text } from '../../components/text.tsx';
import { call } from '../../platform/connect.ts';
import { applyAnswer, useRecords } from '../../stores/records.ts';
import { formatRoute } from '../../stores/route.ts';
import { useNow } from '../../stores/ticker.ts';
import { showFailure } from '../../stores/toasts.ts';
import css from './attention-panel.module.css';
import { attentionWords, type Way } from './attention-words.ts';
import overviewCss from './overview.module.css';
import { showStates } from './show-states.ts';

export function AttentionPanel({ items, range }: { items: readonly AttentionView[]; range: OverviewRange }) {
  const webhooks = useRecords((state) => state.webhooks);
  const clock = useRecords((state) => state.clock);
  const now = useNow();
  const told = items.flatMap((item) => {
    const words = attentionWords(item, { webhooks, clock, now, range });
    return words === null ? [] : [{ key: 'webhookId' in item ? `${item.kind} ${item.webhookId}` : item.kind, words }];
  });
  return (
    <Panel title="Needs attention" sub={told.length === 0 ? undefined : String(told.length)} className={css.attention}>
      {told.length === 0 ? (
        <p className={css.fine}>
          <Glyph name="delivered" /> Nothing needs attention.
        </p>
      ) : (
        <ul>
          {told.map(({ key, words }) => (
            <li key={key}>
              <Glyph name={words.glyph} />
              <div>
                <p className="medium">
                  <Text max={120}>{words.title}</Text>
                </p>
                {words.body !== '' && (
                  <p className="secondary">
                    <Text max={240}>{words.body}</Text>
                  </p>
                )}
                {words.way !== null && <WayOut way={words.way} />}
              </div>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

function WayOut({ way }: { way: Way }) {
  const [busy, setBusy] = useState(false);
  if (way.kind === 'route')
    return (
      <a className={overviewCss.link} href={formatRoute(way.route)}>
        {way.label}
      </a>
    );
  const run = (): void => {
    if (way.kind === 'states') return showStates(way.states);
    setBusy(true);
    (way.kind === 'listen' ? listenAgain() : resumeDelivery())
      .catch((error: unknown) => showFailure(way.kind === 'listen' ? 'listen' : 'resume delivery', error))
      .finally(() => setBusy(false));
  };
  return (
    <button type="button" className={overviewCss.link} disabled={busy} onClick={run}>
      {way.label}
    </button>
  );
}

const listenAgain = async (): Promise<void> => applyAnswer({ status: await call('ingest.listen', {}) });
const resumeDelivery = async (): Promise<void> =>
  applyAnswer({ destination: await call('destination.save', { paused: false }) });
