/** Attempts by webhook: how they ended, and how close the answers come to the limits. */

import { useState } from 'react';
import type { HeadroomView, OverviewView, WebhookAttempts } from '../../../contract/overview.ts';
import type { WebhookView } from '../../../contract/values.ts';
import { DataTable, Panel, type TableColumn } from '../../components/charts/chart-panel.tsx';
import chartsCss from '../../components/charts/charts.module.css';
import { Seg } from '../../components/controls.tsx';
import { AttemptCell, Cell } from '../../components/glyph.tsx';
import layoutCss from '../../components/layout.module.css';
import { Text } from '../../components/text.tsx';
import toneCss from '../../components/tone.module.css';
import { cx } from '../../lib/cx.ts';
import { formatCount, formatDuration, formatPercent, formatSpan, plural } from '../../lib/format.ts';
import { namedNow } from '../../lib/named-now.ts';
import { formatRoute } from '../../stores/route.ts';
import css from './webhooks-panel.module.css';
import { formatShare } from './words.ts';

type Side = 'outcomes' | 'counts' | 'limits';
const SIDES: ReadonlyArray<{ value: Side; label: string }> = [
  { value: 'outcomes', label: 'Outcomes' },
  { value: 'counts', label: 'Table' },
  { value: 'limits', label: 'Time limits' },
];

export const MISSED_HINT = 'Another webhook accepted these, so this one never did.';

interface Line {
  /** The current webhook; undefined when it was removed. */
  readonly webhook: WebhookView | undefined;
  /** Under the name that it had. */
  readonly counted: WebhookAttempts;
}

const lineKey = ({ counted: { webhookId, slot, name, url } }: Line): string =>
  JSON.stringify([webhookId, slot, name, url]);

export function WebhooksPanel({ view, webhooks }: { view: OverviewView; webhooks: readonly WebhookView[] }) {
  const [side, setSide] = useState<Side>('outcomes');
  const lines = view.webhooks.map((counted) => ({
    webhook: webhooks.find(({ id }) => id === counted.webhookId),
    counted,
  }));
  return (
    <Panel
      title="Attempts by webhook"
      side={<Seg className={css.sides} label="What of the attempts" value={side} options={SIDES} onChange={setSide} />}
    >
      {lines.length === 0 ? (
        <p className={cx('muted', css.none)}>There is no webhook yet.</p>
      ) : side === 'outcomes' ? (
        <Outcomes lines={lines} />
      ) : side === 'counts' ? (
        <Counts lines={lines} />
      ) : (
        <TimeLimits lines={lines} />
      )}
    </Panel>
  );
}

function nameOf({ name, slot }: WebhookAttempts): string {
  if (name !== '') return name;
  return slot === 0 ? 'Removed webhook' : `Webhook ${slot}`;
}

function HookName({ webhook, counted }: Line) {
  const name = <Text max={80}>{nameOf(counted)}</Text>;
  const now = namedNow(counted, webhook);
  if (now === null)
    return (
      <a
        className={cx('flex-row', layoutCss.gap6, css.name, webhook?.enabled !== true && 'secondary')}
        href={formatRoute({ screen: 'webhooks', slot: counted.slot })}
      >
        <span className="ellipsis">{name}</span>
        {webhook?.enabled === false && <span className="muted nowrap"> Paused</span>}
      </a>
    );
  return (
    <span className={cx('flex-row ellipsis', layoutCss.gap6)} title={`${counted.url}\n${now.sentence}`}>
      <span className="ellipsis secondary">{name}</span>
      <span className="muted">{now.word}</span>
    </span>
  );
}

/**
 * Solid: an answer that is not 2xx, or no connection. Hatched: asked to wait, or no answer in time. Outline: not sent.
 */
function partsOf({ outcomes }: WebhookAttempts) {
  return [
    { n: outcomes.accepted, className: chartsCss.ok, words: `${formatCount(outcomes.accepted)} accepted` },
    {
      n: outcomes.failed + outcomes.declined + outcomes.no_connection,
      className: chartsCss.bad,
      words: [
        outcomes.failed > 0 && `${formatCount(outcomes.failed)} failed`,
        outcomes.declined > 0 && `${formatCount(outcomes.declined)} declined`,
        outcomes.no_connection > 0 && `${formatCount(outcomes.no_connection)} without a connection`,
      ],
    },
    {
      n: outcomes.timed_out + outcomes.throttled + outcomes.interrupted,
      className: chartsCss.hatch,
      words: [
        outcomes.timed_out > 0 && `${formatCount(outcomes.timed_out)} timed out`,
        outcomes.throttled > 0 && `${formatCount(outcomes.throttled)} throttled`,
        outcomes.interrupted > 0 && `${formatCount(outcomes.interrupted)} interrupted`,
      ],
    },
    {
      n: outcomes.refused_certificate,
      className: css.refused,
      words: `${formatCount(outcomes.refused_certificate)} refused before sending`,
    },
  ]
    .filter(({ n }) => n > 0)
    .map(({ n, className, words }) => ({ n, className, words: [words].flat().filter(Boolean).join(', ') }));
}

function Outcomes({ lines }: { lines: readonly Line[] }) {
  const most = Math.max(1, ...lines.map(({ counted }) => counted.attempts));
  return (
    <div>
      <div className={cx(css.hook, css.hookHead)} aria-hidden="true">
        <span />
        <span />
        <span />
        <span />
        <span className={layoutCss.right}>attempts</span>
        <span className={layoutCss.right}>success</span>
        <span className={layoutCss.right} title={MISSED_HINT}>
          not received
        </span>
      </div>
      {lines.map((line) => (
        <OutcomeLine key={lineKey(line)} {...line} most={most} />
      ))}
    </div>
  );
}

function OutcomeLine({ webhook, counted, most }: Line & { most: number }) {
  const { attempts, outcomes, missed } = counted;
  const parts = partsOf(counted);
  const sentence = parts.length === 0 ? 'no attempts' : parts.map(({ words }) => words).join(', ');
  return (
    <div className={css.hook}>
      <span className="mono muted">{counted.slot === 0 ? '' : counted.slot}</span>
      <NewestCell webhook={webhook} counted={counted} />
      <HookName webhook={webhook} counted={counted} />
      <span className={css.bars} role="img" aria-label={`${plural(attempts, 'attempt')}: ${sentence}`} title={sentence}>
        {parts.map(({ n, className }) => (
          <i key={className} className={className} style={{ width: `${(n / most) * 100}%` }} />
        ))}
      </span>
      <span className={cx('secondary', layoutCss.right)}>{formatCount(attempts)}</span>
      <span
        className={cx(layoutCss.right, attempts > 0 && outcomes.accepted / attempts < 0.5 ? toneCss.bad : 'secondary')}
      >
        {attempts > 0 ? formatPercent(outcomes.accepted, attempts) : ''}
      </span>
      <span className={cx('secondary', layoutCss.right)} title={MISSED_HINT}>
        {missed > 0 ? formatCount(missed) : attempts > 0 ? '0' : ''}
      </span>
    </div>
  );
}

/** How the newest attempt ended. Empty for a removed webhook. */
function NewestCell({ webhook, counted }: Line) {
  if (webhook === undefined || !counted.isNow) return <span />;
  const last = webhook.recent.findLast(({ was }) => was === null);
  if (!webhook.enabled || last === undefined) return <Cell mark={webhook.enabled ? '.' : 'p'} large />;
  return <AttemptCell outcome={last.outcome} status={last.status} large />;
}

const FIRST: TableColumn = { label: 'Webhook', align: 'left' };
const MISSED: TableColumn = { label: 'Not received', hint: MISSED_HINT };

const OUTCOME_COLUMNS = [
  ['accepted', 'Accepted'],
  ['failed', 'Failed'],
  ['timed_out', 'Timed out'],
  ['no_connection', 'No connection'],
  ['refused_certificate', 'Refused'],
  ['declined', 'Declined'],
  ['throttled', 'Throttled'],
  ['interrupted', 'Interrupted'],
] as const;

function Counts({ lines }: { lines: readonly Line[] }) {
  return (
    <DataTable
      label="Attempts by webhook and outcome"
      columns={[FIRST, ...OUTCOME_COLUMNS.map(([, label]) => ({ label })), MISSED]}
      rows={lines.map(({ webhook, counted }) => ({
        key: lineKey({ webhook, counted }),
        cells: [
          <HookName key="name" webhook={webhook} counted={counted} />,
          ...OUTCOME_COLUMNS.map(([outcome]) => formatCount(counted.outcomes[outcome])),
          formatCount(counted.missed),
        ],
      }))}
    />
  );
}

function TimeLimits({ lines }: { lines: readonly Line[] }) {
  const limits = lines[0]!.counted.headroom.over.map(({ ms }) => ms);
  return (
    <>
      <DataTable
        label="Time limits by webhook"
        columns={[
          FIRST,
          { label: 'Answers', hint: 'Complete answers, whatever their status.' },
          { label: 'p50' },
          { label: 'p95' },
          ...limits.map((ms) => ({
            label: `Over ${formatSpan(ms)}`,
            hint: `Requests without a complete answer within ${formatSpan(ms)}, of those that had as long.`,
          })),
          MISSED,
        ]}
        rows={lines.map(({ webhook, counted, counted: { headroom, missed } }) => ({
          key: lineKey({ webhook, counted }),
          cells: [
            <HookName key="name" webhook={webhook} counted={counted} />,
            formatCount(headroom.answers),
            headroom.p50Ms === null ? '–' : formatDuration(headroom.p50Ms),
            headroom.p95Ms === null ? '–' : formatDuration(headroom.p95Ms),
            ...headroom.over.map((over) => <Share key={over.ms} {...over} />),
            formatCount(missed),
          ],
        }))}
      />
      <p className={cx('muted', css.foot)}>
        Share of requests that a shorter or longer limit would cut off. Unknown where no request had that long a limit.
      </p>
    </>
  );
}

function Share({ ms, n, of }: HeadroomView['over'][number]) {
  if (n === null)
    return (
      <span className="muted" title={`No request had a limit of ${formatSpan(ms)} or more.`}>
        unknown
      </span>
    );
  return (
    <span className={cx(n > 0 && toneCss.warn)} title={`${formatCount(n)} of ${plural(of, 'request')}`}>
      {formatShare(n, of)}
    </span>
  );
}
