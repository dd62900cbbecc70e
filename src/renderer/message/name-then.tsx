/** The name that a webhook had when it was tried, with a mark when the name has changed. */
import { History } from 'lucide-react';
import { Text } from '../components/text.tsx';
import { cx } from '../lib/cx.ts';
import { type NamedThen, namedNow } from '../lib/named-now.ts';
import { useRecords } from '../stores/records.ts';
import css from './message.module.css';

/** What has happened to the webhook since, or null. */
export function useNamedNow(then: NamedThen): ReturnType<typeof namedNow> {
  const hook = useRecords((state) => state.webhooks.find(({ id }) => id === then.webhookId));
  return namedNow(then, hook);
}

export function NameThen({ then, className }: { then: NamedThen; className?: string | undefined }) {
  const now = useNamedNow(then);
  return (
    <span className={cx(css.nameThen, className)} title={now === null ? undefined : `${then.url}\n${now.sentence}`}>
      <Text className="ellipsis">{then.name}</Text>
      <ThenMark then={then} />
    </span>
  );
}

/** Marks an attempt made under another name or at another address. */
export function ThenMark({ then }: { then: NamedThen }) {
  const now = useNamedNow(then);
  if (now === null) return null;
  return (
    <>
      <History className="icon icon-large small muted" aria-hidden="true" />
      <span className="visually-hidden">{now.word}</span>
    </>
  );
}
