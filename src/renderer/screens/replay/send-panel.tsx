/** Which webhooks and other targets get the message again, and the button that sends it. */
import { Send } from 'lucide-react';
import { useState } from 'react';
import type { AttemptView, WebhookView } from '../../../contract/values.ts';
import { Banner } from '../../components/banner.tsx';
import { Button } from '../../components/button.tsx';
import { Checkbox } from '../../components/controls.tsx';
import { AttemptCell, Cell } from '../../components/glyph.tsx';
import { Kbd } from '../../components/tag.tsx';
import { Text } from '../../components/text.tsx';
import { plural } from '../../lib/format.ts';
import { isApple } from '../../lib/platform.ts';
import { ATTEMPT_WORDS, attemptKind } from '../../lib/words/attempts.ts';
import { ThenMark } from '../../message/name-then.tsx';
import { originalOf } from './compare.ts';
import { AddButtons, type ElsewhereProps, ElsewhereRows, OtherUrl } from './elsewhere.tsx';
import replayCss from './replay.module.css';
import css from './send-panel.module.css';

export interface SendPanelProps extends ElsewhereProps {
  readonly webhooks: readonly WebhookView[];
  readonly attempts: readonly AttemptView[];
  readonly chosen: ReadonlySet<number>;
  readonly onChoose: (id: number, on: boolean) => void;
  readonly onSend: () => void;
  readonly sending: boolean;
  /** Why nothing can be sent, or null. */
  readonly blocked: string | null;
  /** The error of the last try, or null. */
  readonly error: string | null;
}

export function SendPanel(props: SendPanelProps) {
  const { webhooks, attempts, chosen, onChoose, targets, onSend, sending, blocked, error } = props;
  const [isAsking, setAsking] = useState(false);
  const all = chosen.size + targets.length;
  const reason = blocked ?? (all === 0 ? 'Choose at least one webhook.' : null);
  return (
    <section className={replayCss.block} aria-label="Send to">
      <div className={replayCss.blockHead}>
        <h3>Send to</h3>
        <span className="muted">{all} chosen</span>
        <span className="spacer" />
        <AddButtons {...props} onOtherUrl={() => setAsking(true)} />
      </div>
      {webhooks.length === 0 ? (
        <p className="secondary">
          No webhook is set up. <a href="#/webhooks">Add one in Webhooks</a>.
        </p>
      ) : (
        <ul>
          {webhooks.map((webhook) => (
            <Target
              key={webhook.id}
              webhook={webhook}
              last={originalOf(attempts, webhook.id)}
              checked={chosen.has(webhook.id)}
              onChange={(on) => onChoose(webhook.id, on)}
            />
          ))}
        </ul>
      )}
      <ElsewhereRows {...props} />
      {isAsking && <OtherUrl {...props} onDone={() => setAsking(false)} />}
      {error !== null && (
        <Banner tone="bad" alert className={css.error} title="Could not send.">
          {error}
        </Banner>
      )}
      <div className={css.send}>
        <Button
          variant="primary"
          size="lg"
          icon={Send}
          disabled={reason !== null || sending}
          aria-describedby="replay-note"
          onClick={onSend}
        >
          {sending ? 'Sending' : `Send to ${plural(all, targets.length === 0 ? 'webhook' : 'target')}`}
          <Kbd>{isApple() ? '⌘↵' : 'Ctrl ↵'}</Kbd>
        </Button>
        <p id="replay-note" className="muted small">
          {reason ?? 'Replays are stored and marked, and never change the original state.'}
        </p>
      </div>
    </section>
  );
}

function Target({
  webhook,
  last,
  checked,
  onChange,
}: {
  webhook: WebhookView;
  last: AttemptView | undefined;
  checked: boolean;
  onChange: (on: boolean) => void;
}) {
  return (
    <li>
      {/* biome-ignore lint/a11y/noLabelWithoutControl: the checkbox inside is the control */}
      <label className={css.target}>
        <Checkbox
          checked={checked}
          onChange={onChange}
          label={`${webhook.name}, ${webhook.url}${webhook.enabled ? '' : ', paused'}`}
        />
        <span className="mono muted">{webhook.slot}</span>
        <Text className="medium ellipsis">{webhook.name}</Text>
        <span className="mono secondary ellipsis" title={webhook.url}>
          <Text ltr>{webhook.url}</Text>
        </span>
        <span className={css.last}>
          {webhook.enabled ? (
            last === undefined ? (
              <>
                <Cell mark="." large />
                <span className="muted small">Not tried</span>
              </>
            ) : (
              <>
                <AttemptCell outcome={last.outcome} status={last.status} large />
                <span className="secondary small">{shortResult(last)}</span>
                <ThenMark then={{ ...last, name: last.webhookName }} />
              </>
            )
          ) : (
            <>
              <Cell mark="p" large />
              <span className="secondary small">Paused</span>
            </>
          )}
        </span>
      </label>
    </li>
  );
}

/** `503`, `Timed out`, `Refused`: for narrow places. */
export const shortResult = (attempt: AttemptView): string => {
  const kind = attemptKind(attempt);
  const bare =
    kind === 'timed_out' || kind === 'refused_certificate' || kind === 'no_connection' || attempt.status === null;
  return bare ? ATTEMPT_WORDS[kind].word : String(attempt.status);
};
