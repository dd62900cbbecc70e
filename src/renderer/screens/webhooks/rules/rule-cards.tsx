/** The rules by topic, each in a card. Those of the waits are in waits-card.tsx. */

import type { RulesView } from '../../../../contract/rules.ts';
import type { DestinationView } from '../../../../contract/values.ts';
import { CommitField } from '../../../components/commit-field.tsx';
import { Checkbox, Seg, Switch } from '../../../components/controls.tsx';
import { Setting } from '../../../components/setting.tsx';
import toneCss from '../../../components/tone.module.css';
import { cx } from '../../../lib/cx.ts';
import { formatSpan, plural } from '../../../lib/format.ts';
import { OUTCOMES } from '../../../lib/rule-words.ts';
import { editableSpan } from '../../../lib/span.ts';
import { RuleCard } from './rule-card.tsx';
import css from './rule-cards.module.css';
import { agentText, BOUNDS, numberWithin, spanWithin } from './rule-input.ts';
import { saveRule, saveRules } from './save-rules.ts';

export function RetriedCard({ destination }: { destination: DestinationView }) {
  const { retryOn, retryAfter, redirects } = destination;
  const toggle = (name: (typeof OUTCOMES)[number]['name'], on: boolean) =>
    saveRule({ retryOn: OUTCOMES.map((one) => one.name).filter((one) => (one === name ? on : retryOn.includes(one))) });
  return (
    <RuleCard title="Retried" note="what makes another round worthwhile">
      <ul className={css.outcomes}>
        {OUTCOMES.map(({ name, label, about }) => (
          <li key={name}>
            {/* biome-ignore lint/a11y/noLabelWithoutControl: the checkbox inside is the control */}
            <label>
              <Checkbox checked={retryOn.includes(name)} label={`Retry ${label}`} onChange={(on) => toggle(name, on)} />
              <span className="medium">{label}</span>
              <span className="muted">{about}</span>
            </label>
          </li>
        ))}
      </ul>
      <Setting label="Retry-After" hint="Seconds or a date. It may lengthen a wait, but never past the window.">
        <Switch checked={retryAfter} label="Follow Retry-After" onChange={(on) => saveRule({ retryAfter: on })} />
        <span className="secondary">{retryAfter ? 'Followed' : 'Ignored'}</span>
      </Setting>
      <Setting
        label="Redirects"
        hint={
          redirects === 'follow' ? 'Followed within the time limit of the attempt.' : 'A 3xx answer counts as declined.'
        }
      >
        <Seg
          label="Redirects"
          value={redirects}
          options={[
            { value: 'decline', label: 'Not followed' },
            { value: 'follow', label: 'Followed' },
          ]}
          onChange={(next) => saveRule({ redirects: next })}
        />
      </Setting>
    </RuleCard>
  );
}

const LIMITS = [4_000, 5_000, 10_000] as const;

export function RequestRulesCard({ destination }: { destination: DestinationView }) {
  const { timeoutMs, body, userAgent, signature } = destination;
  return (
    <RuleCard title="Request" note="the limit is real time, whatever the clock says">
      <CommitField
        label="Time limit"
        value={editableSpan(timeoutMs)}
        maxLength={40}
        hint="For the whole attempt: lookup, connect, handshake, request and response."
        onCommit={async (text) => saveRules({ timeoutMs: spanWithin(text, BOUNDS.timeoutMs) })}
      />
      <Setting label="Common limits">
        <Seg<number>
          label="Common limits"
          value={timeoutMs}
          options={LIMITS.map((value) => ({ value, label: formatSpan(value) }))}
          onChange={(next) => saveRule({ timeoutMs: next })}
        />
      </Setting>
      <Setting
        label="Body"
        hint={
          body === 'documented'
            ? 'The fields of the webhook documentation, in its order.'
            : 'The whole message, with messageId, integrations and all other fields.'
        }
      >
        <Seg
          label="Body"
          value={body}
          options={[
            { value: 'documented', label: 'Documented' },
            { value: 'pass-through', label: 'Pass-through' },
          ]}
          onChange={(next) => saveRule({ body: next })}
        />
      </Setting>
      <CommitField
        label="User-Agent"
        mono
        value={userAgent}
        maxLength={200}
        onCommit={async (text) => saveRules({ userAgent: agentText(text) })}
      />
      <Setting
        label="Signature"
        hint={
          signature === 'x-signature'
            ? 'Lowercase hex HMAC-SHA1 of the exact body.'
            : 'webhook-id, webhook-timestamp and webhook-signature: base64 HMAC-SHA256 of id, time and body.'
        }
      >
        <Seg
          label="Signature"
          value={signature}
          options={[
            { value: 'x-signature', label: 'X-Signature' },
            { value: 'standard-webhooks', label: 'webhook-signature' },
          ]}
          onChange={(next) => saveRule({ signature: next })}
        />
      </Setting>
    </RuleCard>
  );
}

/** The initial values when the breaker is turned on. */
const START_BREAKER = { errors: 25, forgetMs: 180_000 };

export function BreakerCard({ breaker }: { breaker: RulesView['breaker'] }) {
  return (
    <RuleCard title="Failing webhooks" note="a webhook that keeps failing can be left out">
      <Setting
        label="Left out"
        hint={
          breaker === null
            ? 'Every webhook is tried in every round.'
            : 'A message with no webhook left counts as delivered.'
        }
      >
        <Switch
          checked={breaker !== null}
          label="Leave failing webhooks out"
          onChange={(on) => saveRule({ breaker: on ? START_BREAKER : null })}
        />
        <span className="secondary">{breaker === null ? 'Never' : 'After repeated errors'}</span>
      </Setting>
      {breaker !== null && (
        <>
          <CommitField
            label="Errors"
            value={String(breaker.errors)}
            maxLength={8}
            hint="Failed attempts, across all messages."
            onCommit={async (text) =>
              saveRules({ breaker: { ...breaker, errors: numberWithin(text, [1, 10_000], true) } })
            }
          />
          <CommitField
            label="Forgotten after"
            value={editableSpan(breaker.forgetMs)}
            maxLength={40}
            hint="On the retry clock, from the last error."
            onCommit={async (text) => saveRules({ breaker: { ...breaker, forgetMs: spanWithin(text, BOUNDS.waitMs) } })}
          />
        </>
      )}
    </RuleCard>
  );
}

export function AuthoritiesCard({ caFile }: { caFile: DestinationView['caFile'] }) {
  return (
    <RuleCard title="Company authorities" note="trusted beside the known ones">
      <CommitField
        label="PEM file"
        mono
        value={caFile?.path ?? ''}
        placeholder="/etc/ssl/company-ca.pem"
        maxLength={4_096}
        hint={
          caFile === null || caFile.problem !== null
            ? 'The absolute path of a file of certificates. Self-signed servers are still refused.'
            : `${plural(caFile.certificates, 'certificate')} read. A self-signed server stays refused.`
        }
        onCommit={(path) => saveRules({ caFile: path === '' ? null : path })}
      />
      {caFile !== null && caFile.problem !== null && (
        <p className={cx('small', toneCss.bad, css.problem)} role="status">
          {`Not used. ${caFile.problem}`}
        </p>
      )}
    </RuleCard>
  );
}
