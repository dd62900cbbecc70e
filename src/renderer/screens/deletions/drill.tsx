import { ArrowRight, FlaskConical, Send, Zap } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import type { DeletionDetail, DeletionUser, DrillView } from '../../../contract/deletions.ts';
import { Button } from '../../components/button.tsx';
import { Glyph, StateBadge } from '../../components/glyph.tsx';
import { Input } from '../../components/input.tsx';
import { Select } from '../../components/select.tsx';
import { Tag } from '../../components/tag.tsx';
import { cx } from '../../lib/cx.ts';
import { formatTime } from '../../lib/format.ts';
import { rejectText } from '../../lib/words/rejections.ts';
import { STATE_WORDS } from '../../lib/words/states.ts';
import { useRow } from '../../stores/records.ts';
import { formatRoute } from '../../stores/route.ts';
import { drill } from './actions.ts';
import blockCss from './blocks.module.css';
import css from './drill.module.css';

/** A longer id is cut in the list of a select. */
const MOST_OF_ID = 40;

/** Sends one call of a deleted user through ingest, to see whether the rejection holds. */
export function Drill({ detail, users }: { detail: DeletionDetail; users: readonly DeletionUser[] }) {
  const ids = users.flatMap(({ userId }) => userId ?? []);
  const [chosen, setChosen] = useState<string | null>(null);
  const [event, setEvent] = useState('Product Viewed');
  const [answer, setAnswer] = useState<(DrillView & { userId: string }) | null>(null);
  const userId = chosen ?? ids[0];
  if (userId === undefined) return null;
  const isSuppressed = users.find((user) => user.userId === userId)?.suppressed ?? detail.suppressed === detail.users;
  const send = async (submitted: FormEvent) => {
    submitted.preventDefault();
    if (event.trim() === '') return;
    const view = await drill(userId, event);
    if (view !== null) setAnswer({ ...view, userId });
  };
  return (
    <section className={blockCss.block} aria-label="Send this user again">
      <div className={cx('flex-row', blockCss.heading)}>
        <FlaskConical className="icon" aria-hidden="true" />
        <h3 className="nowrap">Send this user again</h3>
        <span className="muted ellipsis">
          {detail.suppressed > 0 ? 'a drill: does the rejection hold?' : 'a drill: is it a new user now?'}
        </span>
      </div>
      <form className={css.form} onSubmit={(submitted) => void send(submitted)}>
        <span className={css.user}>
          <Select
            label="User"
            value={userId}
            options={ids.map((id) => ({
              value: id,
              label: id.length > MOST_OF_ID ? `${id.slice(0, MOST_OF_ID)}\u2026` : id,
            }))}
            onChange={setChosen}
          />
        </span>
        <Input
          aria-label="Event"
          boxClassName={css.event}
          leading={<Zap className="icon" aria-hidden="true" />}
          maxLength={200}
          value={event}
          onChange={(change) => setEvent(change.target.value)}
        />
        <Button type="submit" variant="primary" icon={Send} disabled={event.trim() === ''}>
          Send
        </Button>
      </form>
      <div aria-live="polite">{answer !== null && <Answer answer={answer} />}</div>
      <p className={cx('muted small', css.foot)}>
        <span>{isSuppressed ? 'After Lift the same call is delivered.' : 'The call is delivered like any other.'}</span>
        <span className="spacer" />
        {answer !== null && (
          <a
            className={css.open}
            href={formatRoute({ screen: 'live', messageId: answer.messageId, tab: 'attempts', full: false })}
          >
            Open in Live stream <ArrowRight className="icon" aria-hidden="true" />
          </a>
        )}
      </p>
    </section>
  );
}

function Answer({ answer }: { answer: DrillView & { userId: string } }) {
  const row = useRow(answer.messageId);
  const { userId, reason, sourceName, receivedAt } = answer;
  const state = row?.state ?? answer.state;
  const from = `The call came from ${sourceName} at ${formatTime(receivedAt)}.`;
  if (state === 'rejected') {
    return (
      <div className={css.rejected}>
        <Glyph name="rejected" />
        <p className={css.text}>
          <b className="medium">
            {rejectText(reason, reason === 'user_suppressed' ? userId : (row?.reasonDetail ?? null))}
          </b>
          <span className="secondary small">{` ${from} No webhook was called.`}</span>
        </p>
        {reason !== null && (
          <Tag>
            <span className="mono">{reason}</span>
          </Tag>
        )}
      </div>
    );
  }
  return (
    <div className={css.accepted}>
      <StateBadge state={state} />
      <p className={css.text}>
        <b className="medium">{`Accepted: the call of ${userId}.`}</b>
        <span className="secondary small">{` ${from} ${STATE_WORDS[state].about}`}</span>
      </p>
    </div>
  );
}
