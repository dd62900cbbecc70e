import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { finishedOf } from '../../../contract/counts.ts';
import type { StatusView, StorageView } from '../../../contract/values.ts';
import { Banner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { CommitField } from '../../components/commit-field.tsx';
import { ConfirmDialog } from '../../components/dialog.tsx';
import layoutCss from '../../components/layout.module.css';
import { Setting } from '../../components/setting.tsx';
import toneCss from '../../components/tone.module.css';
import { cx } from '../../lib/cx.ts';
import { formatCount, formatExactSize, formatPercent, formatSize, plural } from '../../lib/format.ts';
import { useRecords } from '../../stores/records.ts';
import { saveStorage } from './actions.ts';
import { clearFinished, stopClearing, useClearing } from './clearing.ts';
import { ExchangeCard } from './exchange-card.tsx';
import { Card } from './parts.tsx';
import { SearchCard } from './search-card.tsx';
import settingsCss from './settings.module.css';
import { ageWithin, editableAge, editableSize, messagesWithin, sizeWithin } from './storage-input.ts';
import css from './storage-section.module.css';

/** Above this share of a limit, its bar warns. */
const NEARLY = 0.9;

/** The storage limits, the space in use, and deletion of finished messages. */
export function StorageSection() {
  const status = useRecords((state) => state.status);
  if (status === undefined) return null;
  return (
    <>
      {status.storage.full && <WhatToDo />}
      <UseCard status={status} />
      <LimitsCard status={status} />
      <SearchCard />
      <ExchangeCard />
      <DeleteCard status={status} />
    </>
  );
}

function WhatToDo() {
  return (
    <Banner title="Four ways to make room:">
      raise a limit below; let delivery go on if it is paused, or speed up the retry clock; stop retries that will not
      succeed, in the{' '}
      <a className={settingsCss.inText} href="#/live">
        Live stream
      </a>
      ; repair or turn on a webhook under{' '}
      <a className={settingsCss.inText} href="#/webhooks">
        Webhooks
      </a>
      . Calls are taken again as soon as one message may go.
    </Banner>
  );
}

function UseCard({ status }: { status: StatusView }) {
  const { storage, total, storeBytes, counts } = status;
  const finished = finishedOf(counts);
  return (
    <Card title="In use">
      <Use label="Messages" used={total} limit={storage.maxMessages} write={formatCount} unit=" messages" />
      <Use
        label="Size"
        used={storeBytes}
        limit={storage.maxBytes}
        write={formatSize}
        title={formatExactSize(storeBytes)}
      />
      <Setting label="Kept">
        <span>
          {`${formatCount(finished)} finished`}
          <span className="muted">{`, ${formatCount(total - finished)} to be delivered`}</span>
        </span>
      </Setting>
    </Card>
  );
}

function Use({
  label,
  used,
  limit,
  write,
  unit = '',
  title,
}: {
  label: string;
  used: number;
  limit: number;
  write: (n: number) => string;
  unit?: string;
  title?: string;
}) {
  const share = limit === 0 ? 1 : used / limit;
  const text = `${write(used)} of ${write(limit)}${unit}`;
  const tone = share >= 1 ? css.over : share >= NEARLY ? css.nearly : css.fine;
  return (
    <Setting label={label}>
      <div className={css.use}>
        <div className="flex-row">
          <span title={title}>{text}</span>
          <span className="spacer" />
          <span className={share >= 1 ? toneCss.bad : share >= NEARLY ? toneCss.warn : 'muted'}>
            {share > 1 ? `over by ${write(used - limit)}` : formatPercent(used, limit)}
          </span>
        </div>
        {/* biome-ignore lint/a11y/useSemanticElements: browsers draw a meter element in colours of their own */}
        <div
          className={css.meter}
          role="meter"
          aria-label={label}
          aria-valuemin={0}
          aria-valuemax={limit}
          aria-valuenow={Math.min(used, limit)}
          aria-valuetext={text}
        >
          {used > 0 && <i className={tone} style={{ width: `${Math.min(1, share) * 100}%` }} />}
        </div>
      </div>
    </Setting>
  );
}

interface Question {
  readonly text: string;
  readonly answer: (go: boolean) => void;
}

function LimitsCard({ status }: { status: StatusView }) {
  const { storage } = status;
  const [question, setQuestion] = useState<Question | null>(null);
  const ask = (text: string): Promise<boolean> => new Promise((resolve) => setQuestion({ text, answer: resolve }));
  /** Asks before saving a limit that removes messages. Cancel keeps the old limit. */
  const save = async (change: Partial<Omit<StorageView, 'full'>>): Promise<void> => {
    const loss = lossOf(change, status);
    if (loss === null || (await ask(loss))) await saveStorage(change);
  };
  const close = () => {
    // The main button closes the dialog too. Its answer comes in the same turn and wins.
    queueMicrotask(() => question?.answer(false));
    setQuestion(null);
  };
  return (
    <Card title="Limits" note="the oldest finished messages go first">
      <CommitField
        label="Messages"
        value={formatCount(storage.maxMessages)}
        maxLength={20}
        onCommit={async (text) => save({ maxMessages: messagesWithin(text) })}
      />
      <CommitField
        label="Size"
        value={editableSize(storage.maxBytes)}
        maxLength={20}
        hint="In use in the store's file; 1 KB is 1,024 bytes."
        onCommit={async (text) => save({ maxBytes: sizeWithin(text) })}
      />
      <CommitField
        label="Age"
        value={editableAge(storage.maxAgeDays)}
        maxLength={20}
        hint="Finished messages received before that are always deleted."
        onCommit={async (text) => save({ maxAgeDays: ageWithin(text) })}
      />
      <p className="muted small">
        At a limit the oldest finished messages go, with their attempts and bodies. A message that waits for delivery
        never goes: when only such are left, new calls get 429 with Retry-After.
      </p>
      <ConfirmDialog
        open={question !== null}
        title="Lower the limit"
        verb="Lower and delete"
        onConfirm={() => question?.answer(true)}
        onClose={close}
      >
        <div className={css.confirm}>
          <p>{question?.text}</p>
          <p className="secondary">Deleted messages cannot be restored. Messages that wait for delivery stay.</p>
        </div>
      </ConfirmDialog>
    </Card>
  );
}

/** What a lower limit removes, or null when it removes nothing. */
function lossOf(change: Partial<StorageView>, { storage, total, storeBytes, counts }: StatusView): string | null {
  const { maxMessages, maxBytes, maxAgeDays } = change;
  const finished = finishedOf(counts);
  const waiting = total - finished;
  if (maxMessages !== undefined && maxMessages < Math.min(storage.maxMessages, total)) {
    const oldest = `The oldest ${plural(Math.min(finished, total - maxMessages), 'finished message')} will be deleted within seconds.`;
    if (waiting < maxMessages) return oldest;
    return `${plural(waiting, 'message waits', 'messages wait')} for delivery, so the store will be full and new calls will be refused.${finished > 0 ? ` ${oldest}` : ''}`;
  }
  if (maxBytes !== undefined && maxBytes < Math.min(storage.maxBytes, storeBytes))
    return `The oldest finished messages will be deleted within seconds, until ${formatSize(storeBytes - maxBytes)} are free.`;
  if (maxAgeDays !== undefined && maxAgeDays < storage.maxAgeDays && finished > 0)
    return `Finished messages older than ${editableAge(maxAgeDays)} will be deleted within seconds.`;
  return null;
}

function DeleteCard({ status: { counts, total } }: { status: StatusView }) {
  const [asking, setAsking] = useState(false);
  const clearing = useClearing(({ now }) => now);
  const finished = finishedOf(counts);
  const waiting = total - finished;
  return (
    <Card title="Delete finished messages">
      {clearing === null ? (
        <div className={cx('flex-row', layoutCss.gap12)}>
          <span className="secondary spacer">
            {finished === 0
              ? 'No message is finished.'
              : `${plural(finished, 'message is', 'messages are')} finished: delivered, failed, expired, rejected, stopped or not selected.`}
          </span>
          <Button icon={Trash2} variant="danger" disabled={finished === 0} onClick={() => setAsking(true)}>
            Delete
          </Button>
        </div>
      ) : (
        <Progress removed={clearing.removed} of={clearing.of} stopping={clearing.stopping} />
      )}
      <ConfirmDialog
        open={asking}
        title={finished === 1 ? 'Delete 1 finished message' : `Delete ${formatCount(finished)} finished messages`}
        verb="Delete"
        onConfirm={() => void clearFinished(finished)}
        onClose={() => setAsking(false)}
      >
        <div className={css.confirm}>
          <p>
            They go with their attempts, replays and bodies, and cannot be brought back. The newest message of the store
            stays.
          </p>
          <p>
            {waiting === 0
              ? 'No message waits for delivery.'
              : `${plural(waiting, 'message waits for delivery and stays', 'messages wait for delivery and stay')}.`}
          </p>
          <p className="secondary">
            A client that sends a deleted message again is stored anew. The Overview keeps its counts, and the file
            keeps its size: the room in it is used again.
          </p>
        </div>
      </ConfirmDialog>
    </Card>
  );
}

function Progress({ removed, of, stopping }: { removed: number; of: number; stopping: boolean }) {
  const text = `${formatCount(Math.min(removed, of))} of ${formatCount(of)} deleted`;
  return (
    <div className={cx('flex-row', layoutCss.gap12)}>
      <div className={css.use}>
        <span>{text}</span>
        <div
          className={css.meter}
          role="progressbar"
          aria-label="Deleting finished messages"
          aria-valuemin={0}
          aria-valuemax={of}
          aria-valuenow={Math.min(removed, of)}
          aria-valuetext={text}
        >
          <i className={css.going} style={{ width: `${Math.min(1, removed / of) * 100}%` }} />
        </div>
      </div>
      <Button disabled={stopping} onClick={stopClearing}>
        Stop
      </Button>
    </div>
  );
}
