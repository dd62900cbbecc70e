/** Answers to a replay, beside the original ones. */

import { ArrowRight, ChevronDown, History } from 'lucide-react';
import { useState } from 'react';
import type { AttemptView, ReplayView, WebhookView } from '../../../contract/values.ts';
import buttonCss from '../../components/button.module.css';
import { Button } from '../../components/button.tsx';
import { AttemptCell, Cell } from '../../components/glyph.tsx';
import { Menu } from '../../components/menu.tsx';
import { Tag } from '../../components/tag.tsx';
import { Text } from '../../components/text.tsx';
import toneCss from '../../components/tone.module.css';
import { cx } from '../../lib/cx.ts';
import { formatIso, formatTime, plural } from '../../lib/format.ts';
import { prettyJson } from '../../lib/json.ts';
import { attemptResult } from '../../lib/words/attempts.ts';
import type { Tone } from '../../lib/words/tone.ts';
import { bytesOfBase64 } from '../../message/body.ts';
import { NameThen, ThenMark } from '../../message/name-then.tsx';
import { AttemptDuration } from '../../message/open-duration.tsx';
import { call } from '../../platform/connect.ts';
import { showFailure } from '../../stores/toasts.ts';
import { changeOf, originalOf, withoutAttempt } from './compare.ts';
import { CourseLine } from './course-line.tsx';
import replayCss from './replay.module.css';
import { ResponseCompare } from './response-compare.tsx';
import css from './result-panel.module.css';
import { shortResult } from './send-panel.tsx';

const TONES: Record<Tone, string | undefined> = {
  ok: cx('medium', toneCss.ok),
  warn: cx('medium', toneCss.warn),
  bad: cx('medium', toneCss.bad),
  accent: toneCss.accent,
  quiet: 'secondary',
};

export interface ResultPanelProps {
  /** Oldest first. */
  readonly replays: readonly ReplayView[];
  readonly chosen: ReplayView;
  readonly onChoose: (id: number) => void;
  readonly attempts: readonly AttemptView[];
  readonly webhooks: readonly WebhookView[];
  /** Takes the body of an edited replay into the editor. */
  readonly onEdit: (text: string) => void;
}

interface ResultRow {
  readonly webhookId: number;
  readonly slot: number;
  readonly name: string;
  readonly original: AttemptView | undefined;
  readonly replay: AttemptView | undefined;
}

/** Targets that are no webhook stand after those. */
const LAST = 9;

function rowsOf({ chosen, attempts, webhooks }: ResultPanelProps): ResultRow[] {
  return chosen.webhookIds
    .map((webhookId): ResultRow => {
      const replay = chosen.attempts.findLast((attempt) => attempt.webhookId === webhookId);
      const webhook = webhooks.find((one) => one.id === webhookId);
      return {
        webhookId,
        slot: replay?.slot ?? webhook?.slot ?? 0,
        name: replay?.webhookName ?? webhook?.name ?? `Webhook ${webhookId}`,
        original: originalOf(attempts, webhookId),
        replay,
      };
    })
    .sort((a, b) => (a.slot || LAST) - (b.slot || LAST) || b.webhookId - a.webhookId);
}

export function ResultPanel(props: ResultPanelProps) {
  const { replays, chosen } = props;
  const [picked, setPicked] = useState<number | null>(null);
  const rows = rowsOf(props);
  const number = replays.findIndex((replay) => replay.id === chosen.id) + 1;
  const rounds = new Set(rows.flatMap((row) => (row.original === undefined ? [] : [row.original.round])));
  const shown =
    rows.find((row) => row.webhookId === picked && row.replay !== undefined) ??
    rows.find((row) => row.replay !== undefined);
  const open = chosen.finishedAt === null;
  const missing = withoutAttempt(chosen);
  return (
    <section className={cx(replayCss.block, replayCss.grow)} aria-label={`Result of replay ${number}`}>
      <div className={replayCss.blockHead}>
        <h3>Result of replay {number}</h3>
        <span className="muted nowrap" title={formatIso(chosen.createdAt)}>
          sent {formatTime(chosen.createdAt)}
        </span>
        <Manner replay={chosen} onEdit={props.onEdit} />
        <span className="spacer" />
        <ReplayMenu {...props} number={number} />
      </div>
      <p className="visually-hidden" role="status">
        {open
          ? ''
          : `Replayed to ${plural(rows.filter((row) => row.replay !== undefined).length, chosen.webhookIds.some((id) => id < 0) ? 'target' : 'webhook')}`}
      </p>
      <CourseLine replay={chosen} />
      <table className={css.results} aria-busy={open}>
        <thead>
          <tr>
            <th scope="col" className={css.place}>
              <span className="visually-hidden">Place</span>
            </th>
            <th scope="col" className={css.name}>
              Webhook
            </th>
            <th scope="col">{rounds.size === 1 ? `Original, round ${[...rounds][0]}` : 'Original'}</th>
            <td className={css.arrow} />
            <th scope="col">Replay</th>
            <th scope="col">Change</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Result
              key={row.webhookId}
              row={row}
              missing={missing}
              current={row === shown}
              many={rows.length > 1}
              onPick={setPicked}
            />
          ))}
        </tbody>
      </table>
      {shown?.replay !== undefined && (
        <ResponseCompare key={`${shown.replay.id}`} name={shown.name} original={shown.original} replay={shown.replay} />
      )}
    </section>
  );
}

/** How the replay differs from a plain one. */
function Manner({ replay, onEdit }: { replay: ReplayView; onEdit: (text: string) => void }) {
  const { id, sent, signed } = replay;
  const load = async (): Promise<void> => {
    try {
      const { bodyBase64 } = await call('replay.body', { id });
      onEdit(prettyJson(new TextDecoder().decode(bytesOfBase64(bodyBase64))));
    } catch (error) {
      showFailure('read what this replay sent', error);
    }
  };
  return (
    <>
      {sent === 'edited' && <Tag>Edited</Tag>}
      {sent === 'received' && <Tag title="A rejected call, sent as it was received">As received</Tag>}
      {!signed && <Tag>Not signed</Tag>}
      {sent === 'edited' && (
        <Button variant="ghost" size="sm" onClick={() => void load()}>
          Edit this body
        </Button>
      )}
    </>
  );
}

function Result({
  row,
  missing,
  current,
  many,
  onPick,
}: {
  row: ResultRow;
  missing: string;
  current: boolean;
  many: boolean;
  onPick: (id: number) => void;
}) {
  const change = changeOf(row.original, row.replay, missing);
  return (
    <tr className={current && many ? css.current : undefined}>
      <td className={cx('mono muted', css.placeCell, current && many && css.currentPlace)}>
        {row.slot === 0 ? '' : row.slot}
      </td>
      <td>
        <button
          type="button"
          className={css.pick}
          aria-pressed={current}
          aria-label={`Show the response of ${row.name}`}
          title={row.name}
          onClick={() => onPick(row.webhookId)}
        >
          {row.replay === undefined ? (
            <Text className="medium ellipsis">{row.name}</Text>
          ) : (
            <NameThen className="medium" then={{ ...row.replay, name: row.name }} />
          )}
        </button>
      </td>
      <td>
        <Side attempt={row.original} quiet />
      </td>
      <td className="muted">
        <ArrowRight className="icon" aria-hidden="true" />
      </td>
      <td>
        <Side attempt={row.replay} none={missing} />
      </td>
      <td className={TONES[change.tone]} title={change.words}>
        {change.words}
      </td>
    </tr>
  );
}

function Side(props: { attempt: AttemptView | undefined; quiet?: boolean; none?: string }) {
  const { attempt, quiet = false, none = 'Not tried' } = props;
  if (attempt === undefined)
    return (
      <span className={css.side}>
        <Cell mark="." large />
        <span className={cx(css.sideWord, 'muted ellipsis')}>{none}</span>
      </span>
    );
  return (
    <span className={css.side} title={attemptResult(attempt)}>
      <AttemptCell outcome={attempt.outcome} status={attempt.status} large />
      <span className={cx(css.sideWord, 'ellipsis', quiet && 'secondary')}>{shortResult(attempt)}</span>{' '}
      <span className="muted">
        <AttemptDuration attempt={attempt} />
      </span>
      {quiet && <ThenMark then={{ ...attempt, name: attempt.webhookName }} />}
    </span>
  );
}

function ReplayMenu({ replays, chosen, onChoose, number }: ResultPanelProps & { number: number }) {
  return (
    <Menu
      align="end"
      trigger={
        <Button variant="ghost" size="sm" icon={History} className={buttonCss.flushEnd}>
          {`Replay ${number} of ${replays.length}`}
          <ChevronDown className="icon" aria-hidden="true" />
        </Button>
      }
      items={[
        {
          kind: 'choice',
          label: 'Replays of this message',
          value: String(chosen.id),
          onChange: (value) => onChoose(Number(value)),
          options: replays
            .map((replay, index) => ({
              value: String(replay.id),
              label: `Replay ${index + 1}, ${formatTime(replay.createdAt)}, ${plural(replay.webhookIds.length, replay.webhookIds.some((id) => id < 0) ? 'target' : 'webhook')}${replay.sent === 'edited' ? ', edited' : ''}`,
            }))
            .reverse(),
        },
      ]}
    />
  );
}
