import { X } from 'lucide-react';
import { useRef, useState } from 'react';
import type { WebhookView } from '../../../contract/values.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { failureText } from '../../components/commit-field.tsx';
import { Cell } from '../../components/glyph.tsx';
import { Field, Input } from '../../components/input.tsx';
import { cx } from '../../lib/cx.ts';
import { addWebhook } from './actions.ts';
import entryCss from './webhook-entry.module.css';

/** The form of a new webhook, which is added once its URL is accepted. */
export function NewWebhook({
  slot,
  onAdded,
  onCancel,
}: {
  slot: number;
  onAdded: (hook: WebhookView) => void;
  onCancel: () => void;
}) {
  const [name, setName] = useState('');
  const [url, setUrl] = useState('');
  const [error, setError] = useState<string | null>(null);
  const busy = useRef(false);

  const add = async () => {
    if (busy.current) return;
    busy.current = true;
    try {
      onAdded(await addWebhook(name, url.trim()));
    } catch (failure) {
      setError(failureText(failure));
    } finally {
      busy.current = false;
    }
  };
  return (
    <li className={cx(entryCss.entry, entryCss.open)}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void add();
        }}
      >
        <div className={cx(entryCss.line, entryCss.new)}>
          <span className="mono muted">{slot}</span>
          <Cell large mark="." />
          <span className="medium">New webhook</span>
          <IconButton size="sm" label="Discard the new webhook" icon={X} onClick={onCancel} />
        </div>
        <div className={entryCss.form}>
          <Field label="Name" hint="If left empty, it is named after its host.">
            {(control) => (
              <Input {...control} value={name} maxLength={100} onChange={(event) => setName(event.target.value)} />
            )}
          </Field>
          <Field label="URL" error={error}>
            {(control) => (
              <Input
                {...control}
                mono
                autoFocus
                value={url}
                maxLength={4096}
                placeholder="https://example.test/hooks/segment"
                onChange={(event) => {
                  setUrl(event.target.value);
                  setError(null);
                }}
              />
            )}
          </Field>
          <div className={cx('flex-row', entryCss.actions)}>
            <Button type="submit" size="sm" variant="primary">
              Add webhook
            </Button>
            <Button size="sm" variant="ghost" onClick={onCancel}>
              Cancel
            </Button>
          </div>
        </div>
      </form>
    </li>
  );
}
