import { FlaskConical, Plus } from 'lucide-react';
import { FAULT_LIMITS } from '../../../contract/fault-limits.ts';
import { faultsText } from '../../../contract/fault-words.ts';
import type { FaultDoneView, FaultRuleView, FaultsView } from '../../../contract/faults.ts';
import { Button } from '../../components/button.tsx';
import cardCss from '../../components/card.module.css';
import { Switch } from '../../components/controls.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import layoutCss from '../../components/layout.module.css';
import { Text } from '../../components/text.tsx';
import { Tooltip } from '../../components/tooltip.tsx';
import { setFaultsOn } from '../../frame/ingest-faults.ts';
import { SaveState } from '../../frame/save-state.tsx';
import { Screen } from '../../frame/screen.tsx';
import { cx } from '../../lib/cx.ts';
import { formatClock, formatCount, plural } from '../../lib/format.ts';
import { useRecords } from '../../stores/records.ts';
import { addRule, applyPreset } from './actions.ts';
import faultsCss from './faults.module.css';
import css from './faults-screen.module.css';
import { FAULT_PRESETS } from './presets.ts';
import { ReportSection } from './report-section.tsx';
import { RuleRow } from './rule-row.tsx';

/** Makes ingest misbehave towards SDKs on purpose, and shows how they react. */
export default function FaultsScreen() {
  const faults = useRecords((state) => state.faults);
  return (
    <Screen title="Ingest faults" sub={faults === undefined ? undefined : subText(faults)} actions={<SaveState />}>
      {faults !== undefined && (
        <div className={cx(layoutCss.page, css.page)} data-region="content">
          <Master faults={faults} />
          <Rules rules={faults.rules} />
          {faults.done.length > 0 && <Done done={faults.done} rules={faults.rules} />}
          <ReportSection />
        </div>
      )}
    </Screen>
  );
}

const subText = ({ hits }: FaultsView): string =>
  hits === 0 ? 'No request has met a fault' : `${plural(hits, 'request')} met a fault`;

function Master({ faults }: { faults: FaultsView }) {
  const ready = faults.rules.length > 0;
  return (
    <section className={cx(cardCss.card, css.master)} aria-label="Ingest faults">
      <Switch checked={faults.on} disabled={!ready} label="Ingest faults" onChange={(on) => void setFaultsOn(on)} />
      <div className={css.masterText}>
        <p className="medium">{faults.active ? 'Ingest faults are on.' : faultsText(faults)}</p>
        <p className="muted">
          {ready
            ? 'The first rule that matches a request decides. Health checks, preflights and this interface never misbehave.'
            : 'Ingest misbehaves on purpose, so that you see what your SDKs do. Choose a preset or add a rule.'}
        </p>
      </div>
      <Tooltip label="The same seed and the same requests give the same faults.">
        <span className="muted nowrap">
          Seed <span className="mono">{faults.seed}</span>
        </span>
      </Tooltip>
    </section>
  );
}

function Rules({ rules }: { rules: readonly FaultRuleView[] }) {
  return (
    <section aria-label="Rules" data-region="list">
      <div className={faultsCss.sectionHead}>
        <h2>Rules</h2>
        <span className="muted">{plural(rules.length, 'rule')}</span>
        <span className="spacer" />
        <Button icon={Plus} disabled={rules.length >= FAULT_LIMITS.rules} onClick={() => void addRule()}>
          Add rule
        </Button>
      </div>
      <ul className={css.presets} aria-label="Presets">
        {FAULT_PRESETS.map((preset) => (
          <li key={preset.name}>
            <Tooltip label={preset.about}>
              <Button size="sm" onClick={() => void applyPreset(preset)}>
                {preset.name}
              </Button>
            </Tooltip>
          </li>
        ))}
      </ul>
      <div className={cardCss.card}>
        {rules.length === 0 ? (
          <EmptyState icon={FlaskConical} title="No rule yet.">
            Faults are off by default. A preset makes the rules and turns them on.
          </EmptyState>
        ) : (
          <ol>
            {rules.map((rule, i) => (
              <RuleRow key={rule.id} rule={rule} number={i + 1} last={i === rules.length - 1} />
            ))}
          </ol>
        )}
      </div>
    </section>
  );
}

/** What was done to whom, newest first. */
function Done({ done, rules }: { done: readonly FaultDoneView[]; rules: readonly FaultRuleView[] }) {
  const sources = useRecords((state) => state.sources);
  return (
    <section aria-label="Faults so far">
      <div className={faultsCss.sectionHead}>
        <h2>Faults so far</h2>
      </div>
      <div className={cx(cardCss.card, css.doneBox)}>
        <table className={cx(faultsCss.table, css.done)}>
          <thead>
            <tr>
              <th scope="col">Client</th>
              <th scope="col">Source</th>
              <th scope="col">Rule</th>
              <th scope="col" className={css.number}>
                Requests
              </th>
              <th scope="col" className={css.number}>
                Last
              </th>
            </tr>
          </thead>
          <tbody>
            {done.map(({ ruleId, client, writeKey, count, lastAt }) => {
              const at = rules.findIndex(({ id }) => id === ruleId);
              const source = sources.find((one) => one.writeKey === writeKey)?.name ?? writeKey ?? 'no write key';
              return (
                <tr key={`${ruleId} ${client} ${writeKey}`}>
                  <td className="ellipsis" title={client}>
                    <Text ltr>{client === '' ? 'A client without a name' : client}</Text>
                  </td>
                  <td className="ellipsis secondary" title={source}>
                    <Text>{source}</Text>
                  </td>
                  <td className="secondary">{at === -1 ? 'removed' : at + 1}</td>
                  <td className={css.number}>{formatCount(count)}</td>
                  <td className={cx('secondary', css.number)}>{formatClock(lastAt)}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </section>
  );
}
