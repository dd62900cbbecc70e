import { ChevronDown, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import type { RecentAttempt, WebhookView } from '../../../contract/values.ts';
import buttonCss from '../../components/button.module.css';
import { Button, IconButton } from '../../components/button.tsx';
import { CertificateFacts, CertificateVerdict } from '../../components/certificate.tsx';
import { CommitField } from '../../components/commit-field.tsx';
import { Switch } from '../../components/controls.tsx';
import { ConfirmDialog, Dialog } from '../../components/dialog.tsx';
import { AttemptCell, Cell } from '../../components/glyph.tsx';
import layoutCss from '../../components/layout.module.css';
import { Text } from '../../components/text.tsx';
import { Ago } from '../../components/tick-text.tsx';
import toneCss from '../../components/tone.module.css';
import { cx } from '../../lib/cx.ts';
import { formatPercent, middleEllipsis } from '../../lib/format.ts';
import { ATTEMPT_WORDS, attemptKind, attemptResult } from '../../lib/words/attempts.ts';
import { STATUS_TEXTS } from '../../lib/words/status-texts.ts';
import { call } from '../../platform/connect.ts';
import { tracked } from '../../stores/saves.ts';
import { showFailure, showToast } from '../../stores/toasts.ts';
import { saveWebhook } from './actions.ts';
import { AttemptStrip } from './attempt-strip.tsx';
import { HeaderEditor } from './header-editor.tsx';
import css from './webhook-entry.module.css';

/** One webhook: a line with its recent results, and its settings below when expanded. */
export function WebhookEntry({ hook, open, onToggle }: { hook: WebhookView; open: boolean; onToggle: () => void }) {
  const title = hook.name === '' ? `Webhook ${hook.slot}` : hook.name;
  const setEnabled = (enabled: boolean) => {
    saveWebhook(hook, { enabled }).catch((error) => showFailure(`change ${title}`, error));
  };
  return (
    <li className={cx(css.entry, open && css.open)}>
      <div className={css.line}>
        <span className="mono muted">{hook.slot}</span>
        <HookCell hook={hook} />
        <div className={layoutCss.column}>
          <span className="medium ellipsis" title={title}>
            <Text>{title}</Text>
          </span>
          <span className="mono secondary ellipsis" title={hook.url}>
            <Text ltr>{middleEllipsis(hook.url, 50)}</Text>
          </span>
        </div>
        <div className={cx(layoutCss.column, css.record)}>
          <AttemptStrip recent={hook.recent} />
          <span className="muted small ellipsis">
            <LastAttempt hook={hook} />
          </span>
        </div>
        <AcceptedShare hook={hook} />
        <Switch checked={hook.enabled} label={`Send to ${title}`} onChange={setEnabled} />
        <IconButton
          size="sm"
          label={open ? `Close settings of ${title}` : `Settings of ${title}`}
          icon={open ? ChevronDown : ChevronRight}
          aria-expanded={open}
          onClick={onToggle}
        />
      </div>
      {open && <WebhookForm hook={hook} title={title} />}
    </li>
  );
}

/** Attempts at the current webhook. Attempts under an earlier name or address do not count. */
const attemptsNow = (hook: WebhookView): readonly RecentAttempt[] => hook.recent.filter(({ was }) => was === null);

function HookCell({ hook }: { hook: WebhookView }) {
  const last = attemptsNow(hook).at(-1);
  if (!hook.enabled) return <Cell large mark="p" />;
  return last === undefined ? (
    <Cell large mark="." />
  ) : (
    <AttemptCell large outcome={last.outcome} status={last.status} />
  );
}

function LastAttempt({ hook }: { hook: WebhookView }) {
  const last = attemptsNow(hook).at(-1);
  if (!hook.enabled) return 'Paused';
  if (last === undefined) return hook.recent.length === 0 ? 'No attempts yet' : 'Not tried since it changed';
  return (
    <>
      <span title={attemptResult({ ...last, statusText: '' })}>{`Last ${shortResult(last)}, `}</span>
      <Ago at={last.at} />
    </>
  );
}

/** `200 OK`, `503`, `timed out`, for a line with little room. */
function shortResult(attempt: RecentAttempt): string {
  const { status } = attempt;
  if (attemptKind(attempt) === 'accepted') return `${status} ${STATUS_TEXTS[status ?? 0] ?? ''}`.trim();
  if (status !== null) return String(status);
  return ATTEMPT_WORDS[attemptKind(attempt)].word.toLowerCase();
}

function AcceptedShare({ hook }: { hook: WebhookView }) {
  const recent = attemptsNow(hook);
  const accepted = recent.filter(({ outcome }) => outcome === 'accepted').length;
  if (!hook.enabled || recent.length === 0) return <span />;
  return (
    <span
      className={accepted === 0 ? cx(css.share, toneCss.bad) : cx('secondary', css.share)}
      title="Accepted, of the attempts shown"
    >
      {formatPercent(accepted, recent.length)}
    </span>
  );
}

/** The certificate that the server presented at the newest attempt over TLS. */
function HookCertificate({ hook, title }: { hook: WebhookView; title: string }) {
  const [open, setOpen] = useState(false);
  const { certificate } = hook;
  if (!/^https:/i.test(hook.url)) return null;
  if (certificate === null) return <span className="muted small">No certificate seen yet</span>;
  return (
    <>
      <CertificateVerdict {...certificate} />
      <Button size="sm" variant="ghost" onClick={() => setOpen(true)}>
        View certificate
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} title="Certificate" width={560}>
        <p className={cx('medium ellipsis', toneCss.strong)}>
          <Text>{title}</Text>
        </p>
        <p className={css.verdict}>
          <CertificateVerdict {...certificate} />
          <span className="muted small">
            <Ago at={certificate.at} prefix="Seen " />
          </span>
        </p>
        {certificate.reason !== null && (
          <p className="secondary">
            No request is sent to this server. The certificate is checked again in each round.
          </p>
        )}
        <CertificateFacts info={certificate.info} />
      </Dialog>
    </>
  );
}

function WebhookForm({ hook, title }: { hook: WebhookView; title: string }) {
  const [asking, setAsking] = useState(false);
  const remove = async () => {
    try {
      await tracked(call('webhooks.remove', { id: hook.id }));
      showToast({ title: 'Webhook removed', body: title.slice(0, 100) });
    } catch (error) {
      showFailure('remove the webhook', error);
    }
  };
  return (
    <div className={css.form}>
      <CommitField label="Name" value={hook.name} maxLength={100} onCommit={(name) => saveWebhook(hook, { name })} />
      <CommitField
        label="URL"
        mono
        value={hook.url}
        placeholder="https://example.test/hooks/segment"
        maxLength={4096}
        onCommit={(url) => saveWebhook(hook, { url })}
      />
      <HeaderEditor hook={hook} />
      <div className={cx('flex-row', css.actions)}>
        <HookCertificate hook={hook} title={title} />
        <span className="spacer" />
        <Button size="sm" variant="danger" className={buttonCss.flushEnd} onClick={() => setAsking(true)}>
          Remove
        </Button>
      </div>
      <ConfirmDialog
        open={asking}
        title="Remove this webhook"
        verb="Remove"
        onClose={() => setAsking(false)}
        onConfirm={() => void remove()}
      >
        <p>
          <b className={cx('medium', toneCss.strong)}>
            <Text>{title}</Text>
          </b>{' '}
          is not tried again, and its URL and headers are deleted. Attempts already made stay with their messages.
        </p>
      </ConfirmDialog>
    </div>
  );
}
