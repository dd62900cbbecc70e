import { Ellipsis, Pencil, RotateCcw, Trash2, Webhook, X } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import type { ReceiverView } from '../../../contract/receivers.ts';
import buttonCss from '../../components/button.module.css';
import { Button, IconButton } from '../../components/button.tsx';
import { Seg, Switch } from '../../components/controls.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { ConfirmDialog } from '../../components/dialog.tsx';
import factsCss from '../../components/facts.module.css';
import inputCss from '../../components/input.module.css';
import layoutCss from '../../components/layout.module.css';
import { Menu, type MenuItem } from '../../components/menu.tsx';
import tagCss from '../../components/tag.module.css';
import { Text } from '../../components/text.tsx';
import { Tooltip } from '../../components/tooltip.tsx';
import { layerOpen, typesText } from '../../frame/keys.ts';
import { cx } from '../../lib/cx.ts';
import { useRecords } from '../../stores/records.ts';
import { addAsWebhook, changeReceiver, removeReceiver, resetReceiver } from './actions.ts';
import { HitLog } from './hit-log.tsx';
import { ProgramEditor } from './program-editor.tsx';
import css from './receiver-detail.module.css';
import receiversCss from './receivers.module.css';
import { RenameReceiver } from './rename-receiver.tsx';
import { usedBy, usedByText } from './words.ts';

const MAX_WEBHOOKS = 5;

/** One receiver: its address, its program, its checks, and its requests. */
export function ReceiverDetail({ receiver, onClose }: { receiver: ReceiverView; onClose: () => void }) {
  const back = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented || typesText(event.target) || layerOpen()) return;
    onClose();
    document.querySelector<HTMLElement>(`[role="row"][data-id="${receiver.id}"]`)?.focus();
  };
  return (
    <aside
      className={receiversCss.right}
      aria-label={receiver.name}
      data-region="detail"
      tabIndex={-1}
      onKeyDown={back}
    >
      <Head receiver={receiver} onClose={onClose} />
      <ProgramEditor receiver={receiver} />
      <CheckBlock receiver={receiver} />
      <HitLog receiver={receiver} />
    </aside>
  );
}

function Head({ receiver, onClose }: { receiver: ReceiverView; onClose: () => void }) {
  const { id, name, url } = receiver;
  const webhooks = useRecords((state) => state.webhooks);
  const used = usedBy(url, webhooks);
  return (
    <div className={css.head}>
      <div className="flex-row">
        <h2 className="ellipsis" title={name}>
          <Text>{name}</Text>
        </h2>
        {used.length > 0 && (
          <span className={tagCss.tag}>
            <Webhook className="icon" aria-hidden="true" />
            {usedByText(used)}
          </span>
        )}
        <span className="spacer" />
        <HeadMenu receiver={receiver} />
        <IconButton className={css.close} label="Close" icon={X} onClick={onClose} />
      </div>
      <div className={cx('flex-row', css.address)}>
        <div className={cx('mono', inputCss.box, css.url)}>
          <span className="ellipsis" title={url ?? undefined}>
            {url ?? `/r/${id}`}
          </span>
        </div>
        {url !== null && (
          <CopyButton text={url} label={`Copy URL of ${name}`} size="md">
            Copy URL
          </CopyButton>
        )}
        {used.length === 0 && <UseButton receiver={receiver} full={webhooks.length >= MAX_WEBHOOKS} />}
      </div>
    </div>
  );
}

function UseButton({ receiver, full }: { receiver: ReceiverView; full: boolean }) {
  const button = (
    <Button icon={Webhook} disabled={full || receiver.url === null} onClick={() => void addAsWebhook(receiver)}>
      Use as webhook
    </Button>
  );
  if (!full) return button;
  return (
    <Tooltip label={`All ${MAX_WEBHOOKS} webhooks are in use. Remove one to add another.`}>
      {/* A disabled button gets no pointer events, so the hint is on a span around it. */}
      <span>{button}</span>
    </Tooltip>
  );
}

function HeadMenu({ receiver }: { receiver: ReceiverView }) {
  const [open, setOpen] = useState<'rename' | 'remove' | 'reset' | null>(null);
  const close = () => setOpen(null);
  const items: MenuItem[] = [
    { label: 'Rename', icon: Pencil, run: () => setOpen('rename') },
    receiver.builtIn
      ? { label: 'Reset to built-in', icon: RotateCcw, disabled: !receiver.edited, run: () => setOpen('reset') }
      : { label: 'Remove', icon: Trash2, danger: true, run: () => setOpen('remove') },
  ];
  return (
    <>
      <Menu
        align="end"
        trigger={
          <button
            type="button"
            className={cx(buttonCss.button, buttonCss.ghost, buttonCss.square)}
            aria-label={`More for ${receiver.name}`}
          >
            <Ellipsis className="icon icon-large" aria-hidden="true" />
          </button>
        }
        items={items}
      />
      {open === 'rename' && <RenameReceiver receiver={receiver} onClose={close} />}
      <ConfirmDialog
        open={open === 'remove'}
        title="Remove this receiver"
        verb="Remove"
        onClose={close}
        onConfirm={() => void removeReceiver(receiver)}
      >
        <p>Requests to its URL get 404 from then on. Its program and its request log are gone.</p>
      </ConfirmDialog>
      <ConfirmDialog
        open={open === 'reset'}
        title="Reset this receiver"
        verb="Reset"
        danger={false}
        onClose={close}
        onConfirm={() => void resetReceiver(receiver)}
      >
        <p>Its name, program and signature check return to their defaults. The request log stays.</p>
      </ConfirmDialog>
    </>
  );
}

const MISMATCH = [
  { value: 'reject', label: 'Reply 401' },
  { value: 'mark', label: 'Accept and mark' },
] as const;
const SECRETS = { shared: 'Shared secret of the Webhooks destination', wrong: 'A wrong one, on purpose' } as const;

function CheckBlock({ receiver }: { receiver: ReceiverView }) {
  const { check, name } = receiver;
  const change = (part: Partial<ReceiverView['check']>) =>
    void changeReceiver(receiver, (now) => ({ check: { ...now.check, ...part } }));
  return (
    <section className={receiversCss.block} aria-label="Signature check">
      <div className={cx('flex-row', receiversCss.blockHead)}>
        <h3>Signature check</h3>
        <span className="spacer" />
        <Switch checked={check.on} label={`Signature check of ${name}`} onChange={(on) => change({ on })} />
      </div>
      {check.on && (
        <dl className={cx(factsCss.facts, css.check)}>
          <dt>Secret</dt>
          <dd>{SECRETS[check.secret]}</dd>
          <dt>On mismatch</dt>
          <dd className={cx('flex-row', layoutCss.gap6)}>
            <Seg
              label="On mismatch"
              value={check.onMismatch}
              options={MISMATCH}
              onChange={(onMismatch) => change({ onMismatch })}
            />
          </dd>
        </dl>
      )}
    </section>
  );
}
