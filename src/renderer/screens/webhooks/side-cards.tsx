import { Fragment } from 'react';
import type { DestinationView, SourceView } from '../../../contract/values.ts';
import { Button } from '../../components/button.tsx';
import cardCss from '../../components/card.module.css';
import { Seg, Switch } from '../../components/controls.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import factsCss from '../../components/facts.module.css';
import { KIND_WORDS, KindIcon } from '../../components/source-kind.tsx';
import { Text } from '../../components/text.tsx';
import { changeSource } from '../../frame/change-source.ts';
import { cx } from '../../lib/cx.ts';
import { formatSpan } from '../../lib/format.ts';
import { ruleFacts } from '../../lib/rule-words.ts';
import { navigate } from '../../stores/route.ts';
import { saveDestination } from './actions.ts';
import css from './side-cards.module.css';

/** Which sources send to the destination. */
export function SourcesCard({ sources }: { sources: readonly SourceView[] }) {
  const on = sources.filter((source) => source.enabled && source.webhooks).length;
  return (
    <section className={cardCss.card} aria-labelledby="sources-title">
      <header>
        <h2 id="sources-title">Enabled sources</h2>
        <span className="spacer" />
        <span className="muted">{`${on} of ${sources.length}`}</span>
      </header>
      {sources.length === 0 ? (
        <EmptyState title="No source yet.">Add one under Sources.</EmptyState>
      ) : (
        <ul className={css.sources}>
          {sources.map((source) => (
            <li key={source.id} className={css.source}>
              <KindIcon kind={source.kind} />
              <span className="medium ellipsis">
                <Text>{source.name}</Text>
              </span>
              <span className="muted nowrap">{source.enabled ? KIND_WORDS[source.kind] : 'source is off'}</span>
              <span className="spacer" />
              <Switch
                checked={source.webhooks}
                label={`Send messages of ${source.name}`}
                onChange={(webhooks) => void changeSource(source, { webhooks })}
              />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

const LIMITS: readonly number[] = [4000, 5000, 10_000];

/** The usual limits, plus the current one when a profile or the user chose another. */
const limitsWith = (timeoutMs: number): number[] =>
  [...new Set([...LIMITS, timeoutMs])].sort((one, other) => one - other);

/** What is sent, and how long an answer may take. */
export function RequestCard({ destination }: { destination: DestinationView }) {
  return (
    <section className={cardCss.card} aria-labelledby="request-title">
      <header>
        <h2 id="request-title">Request</h2>
      </header>
      <div className={cx(cardCss.body, cardCss.stacked)}>
        <div className={css.choice}>
          <span className="secondary">Body</span>
          <Seg
            label="Body"
            value={destination.body}
            options={[
              { value: 'documented', label: 'Documented' },
              { value: 'pass-through', label: 'Pass-through' },
            ]}
            onChange={(body) => void saveDestination({ body })}
          />
        </div>
        <p className="muted small">
          {destination.body === 'documented'
            ? 'The fields of the webhook documentation, in its order.'
            : 'The whole message as received, with messageId, integrations and all other fields.'}
        </p>
        <div className={css.choice}>
          <span className="secondary">Response time limit</span>
          <Seg
            label="Response time limit"
            value={destination.timeoutMs}
            options={limitsWith(destination.timeoutMs).map((value) => ({ value, label: formatSpan(value) }))}
            onChange={(timeoutMs) => void saveDestination({ timeoutMs })}
          />
        </div>
        <p className="muted small">Always real time, whatever the retry clock says.</p>
      </div>
    </section>
  );
}

/** The engine's policy, read from the destination. */
export function RulesCard({ destination }: { destination: DestinationView }) {
  return (
    <section className={cardCss.card} aria-labelledby="rules-title">
      <header>
        <h2 id="rules-title">Delivery rules</h2>
        <span className="spacer" />
        <Button size="sm" onClick={() => navigate({ screen: 'webhooks', slot: null, rules: true })}>
          Edit rules
        </Button>
      </header>
      <dl className={cx(factsCss.facts, cardCss.body, css.facts)}>
        {ruleFacts(destination).map(([name, fact]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{fact}</dd>
          </Fragment>
        ))}
      </dl>
    </section>
  );
}
