/** Targets of a replay beside the webhooks: receivers of the lab and other URLs. */
import { Inbox, Plus, X } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Button, IconButton } from '../../components/button.tsx';
import { Field, Input } from '../../components/input.tsx';
import { Menu } from '../../components/menu.tsx';
import { Text } from '../../components/text.tsx';
import { useRecords } from '../../stores/records.ts';
import css from './elsewhere.module.css';

export type Elsewhere =
  | { readonly kind: 'receiver'; readonly id: string; readonly name: string; readonly url: string }
  | { readonly kind: 'url'; readonly url: string };

/** Of each kind. */
const MAX_ELSEWHERE = 10;

export interface ElsewhereProps {
  readonly targets: readonly Elsewhere[];
  readonly onTargets: (targets: readonly Elsewhere[]) => void;
}

/** `onOtherUrl` opens the field for a URL. */
export function AddButtons({ targets, onTargets, onOtherUrl }: ElsewhereProps & { onOtherUrl: () => void }) {
  const entries = useRecords((state) => state.receivers?.entries);
  const isThere = (id: string) => targets.some((one) => one.kind === 'receiver' && one.id === id);
  const free = (entries ?? []).flatMap(({ id, name, url }) => (url === null || isThere(id) ? [] : [{ id, name, url }]));
  const urls = targets.filter(({ kind }) => kind === 'url').length;
  return (
    <>
      <Menu
        align="end"
        trigger={
          <Button size="sm" variant="ghost" icon={Plus}>
            Test receiver
          </Button>
        }
        items={
          free.length === 0
            ? [{ label: 'No receiver is free', disabled: true, run: () => {} }]
            : free.map((receiver) => ({
                label: receiver.name,
                icon: Inbox,
                run: () => onTargets([...targets, { kind: 'receiver', ...receiver }]),
              }))
        }
      />
      <Button size="sm" variant="ghost" icon={Plus} disabled={urls >= MAX_ELSEWHERE} onClick={onOtherUrl}>
        Other URL
      </Button>
    </>
  );
}

export function ElsewhereRows({ targets, onTargets }: ElsewhereProps) {
  if (targets.length === 0) return null;
  return (
    <ul aria-label="Other targets">
      {targets.map((target) => {
        const name = target.kind === 'receiver' ? target.name : hostOf(target.url);
        return (
          <li key={`${target.kind} ${target.url}`} className={css.row}>
            <Text className="medium ellipsis">{name}</Text>
            <span className="mono secondary ellipsis" title={target.url}>
              <Text ltr>{target.url}</Text>
            </span>
            <IconButton
              size="sm"
              label={`Remove ${name}`}
              icon={X}
              onClick={() => onTargets(targets.filter((one) => one !== target))}
            />
          </li>
        );
      })}
    </ul>
  );
}

/** The engine checks a URL as it checks those of webhooks; this only says what it certainly would refuse. */
export function OtherUrl({ targets, onTargets, onDone }: ElsewhereProps & { onDone: () => void }) {
  const [url, setUrl] = useState('');
  const [error, setError] = useState<string | null>(null);
  const add = (event: FormEvent) => {
    event.preventDefault();
    const text = url.trim();
    if (!/^https?:\/\//i.test(text) || !URL.canParse(text))
      return setError('Enter a full URL that starts with http:// or https://.');
    const { href } = new URL(text);
    if (!targets.some((one) => one.kind === 'url' && one.url === href))
      onTargets([...targets, { kind: 'url', url: href }]);
    onDone();
  };
  return (
    <form className={css.form} onSubmit={add}>
      <Field label="Other URL" error={error} stacked>
        {(control) => (
          <Input
            {...control}
            mono
            autoFocus
            placeholder="http://localhost:4000/hook"
            value={url}
            onChange={(event) => setUrl(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Escape') return;
              event.stopPropagation();
              onDone();
            }}
          />
        )}
      </Field>
      <Button type="submit">Add</Button>
      <Button variant="ghost" onClick={onDone}>
        Cancel
      </Button>
    </form>
  );
}

const hostOf = (url: string): string => new URL(url).host;
