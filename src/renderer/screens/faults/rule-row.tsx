import { ArrowDown, ArrowUp, X } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { FAULT_LIMITS, type FaultPath, faultPaths } from '../../../contract/fault-limits.ts';
import { pathsText, ruleText } from '../../../contract/fault-words.ts';
import type { FaultKind, FaultRule, FaultRuleView } from '../../../contract/faults.ts';
import { IconButton } from '../../components/button.tsx';
import { Checkbox, Switch } from '../../components/controls.tsx';
import { NumberBox } from '../../components/number-box.tsx';
import { Select } from '../../components/select.tsx';
import { cx } from '../../lib/cx.ts';
import { formatCount } from '../../lib/format.ts';
import { useRecords } from '../../stores/records.ts';
import { ActionFields } from './action-fields.tsx';
import { changeRule, moveRule, removeRule } from './actions.ts';
import { ACTION_NAMES, NEW_ACTIONS } from './presets.ts';
import css from './rule-row.module.css';

/** One rule as a sentence whose parts are its controls. */
export function RuleRow({ rule, number, last }: { rule: FaultRuleView; number: number; last: boolean }) {
  const change = (part: Partial<FaultRule>) => void changeRule(rule.id, part);
  const name = `Rule ${number}`;
  const act = rule.action;
  const noStore = act.kind === 'reset' && act.when === 'before';
  const setAction = (action: FaultRule['action']) =>
    change({ action, ...(action.kind === 'reset' && action.when === 'before' && { store: false }) });
  return (
    <li className={cx(css.rule, !rule.on && css.ruleOff)} aria-label={`${name}: ${ruleText(rule)}`}>
      <Switch checked={rule.on} label={`${name} on`} onChange={(on) => change({ on })} />
      <div className={css.sentence}>
        <WhenFields rule={rule} name={name} onChange={(when) => change({ when })} />
        <ScopeFields rule={rule} name={name} onChange={change} />
        <Word>get</Word>
        <Select
          label={`${name}: what they get`}
          value={act.kind}
          options={Object.entries(ACTION_NAMES).map(([value, label]) => ({ value: value as FaultKind, label }))}
          onChange={(kind) => setAction(NEW_ACTIONS[kind])}
        />
        <ActionFields action={act} name={name} onChange={setAction} />
        <StoreBox name={name} checked={rule.store} disabled={noStore} onChange={(store) => change({ store })} />
        {losesQuietly(rule) && (
          <p className={css.ruleNote}>The client gets a success, so these calls are lost without a retry.</p>
        )}
      </div>
      <span className={css.hits} title={`${formatCount(rule.hits)} requests taken by this rule`}>
        <b>{formatCount(rule.hits)}×</b>
        <span className="visually-hidden"> so far</span>
      </span>
      <span className={css.ruleActions}>
        <IconButton
          size="sm"
          label={`Move ${name} up`}
          hint="Up"
          icon={ArrowUp}
          unavailable={number === 1 ? 'It is the first' : null}
          onClick={() => void moveRule(rule.id, -1)}
        />
        <IconButton
          size="sm"
          label={`Move ${name} down`}
          hint="Down"
          icon={ArrowDown}
          unavailable={last ? 'It is the last' : null}
          onClick={() => void moveRule(rule.id, 1)}
        />
        <IconButton
          size="sm"
          label={`Remove ${name}`}
          hint="Remove"
          icon={X}
          onClick={() => void removeRule(rule.id)}
        />
      </span>
    </li>
  );
}

const Word = ({ children }: { children: ReactNode }) => <span className="secondary">{children}</span>;

/** A success answer without a stored call. */
const losesQuietly = ({ action, store }: FaultRule): boolean =>
  !store &&
  (action.kind === 'empty' ||
    action.kind === 'content_type' ||
    action.kind === 'drip' ||
    (action.kind === 'status' && action.status < 300));

function WhenFields({
  rule: { when },
  name,
  onChange,
}: {
  rule: FaultRule;
  name: string;
  onChange: (when: FaultRule['when']) => void;
}) {
  const mode = (
    <Select
      label={`${name}: how often`}
      value={when.mode}
      options={[
        { value: 'rate', label: 'Share of' },
        { value: 'first', label: 'First' },
        { value: 'burst', label: 'In a row' },
      ]}
      onChange={(next) => onChange(NEW_WHEN[next])}
    />
  );
  const count = (label: string, value: number, unit: string, set: (n: number) => void) => (
    <NumberBox
      label={`${name}: ${label}`}
      value={value}
      unit={unit}
      min={1}
      max={FAULT_LIMITS.requests}
      onCommit={(n) => n !== null && set(n)}
    />
  );
  switch (when.mode) {
    case 'rate':
      return (
        <>
          {mode}
          <NumberBox
            label={`${name}: percent`}
            value={when.percent}
            unit="%"
            min={0}
            max={100}
            onCommit={(percent) => percent !== null && onChange({ mode: 'rate', percent })}
          />
        </>
      );
    case 'first':
      return (
        <>
          {mode}
          {count('requests of each client', when.requests, 'per client', (requests) =>
            onChange({ mode: 'first', requests }),
          )}
        </>
      );
    case 'burst':
      return (
        <>
          {mode}
          {count('in a row', when.fail, 'taken', (fail) => onChange({ ...when, fail }))}
          {count('then not', when.pass, 'let by', (pass) => onChange({ ...when, pass }))}
        </>
      );
  }
}

const NEW_WHEN: Readonly<Record<FaultRule['when']['mode'], FaultRule['when']>> = {
  rate: { mode: 'rate', percent: 30 },
  first: { mode: 'first', requests: 2 },
  burst: { mode: 'burst', fail: 3, pass: 3 },
};

function ScopeFields({
  rule: { paths, writeKey },
  name,
  onChange,
}: {
  rule: FaultRule;
  name: string;
  onChange: (part: Partial<FaultRule>) => void;
}) {
  const sources = useRecords((state) => state.sources);
  const chosen = paths.join(' ');
  const all = [[], ...faultPaths.map((path): FaultPath[] => [path])];
  const options = all.some((one) => one.join(' ') === chosen) ? all : [...all, paths];
  const keys = sources.map((source) => ({ value: source.writeKey, label: source.name }));
  const unknown = writeKey === null || sources.some((source) => source.writeKey === writeKey);
  return (
    <>
      <Select
        label={`${name}: requests`}
        value={chosen}
        options={options.map((one) => ({ value: one.join(' '), label: pathsText(one) }))}
        onChange={(next) => onChange({ paths: next === '' ? [] : (next.split(' ') as FaultPath[]) })}
      />
      <Word>from</Word>
      <Select
        label={`${name}: source`}
        value={writeKey ?? ''}
        options={[
          { value: '', label: 'every source' },
          ...keys,
          ...(unknown ? [] : [{ value: writeKey, label: `key ${writeKey}` }]),
        ]}
        onChange={(next) => onChange({ writeKey: next === '' ? null : next })}
      />
    </>
  );
}

function StoreBox({
  name,
  checked,
  disabled,
  onChange,
}: {
  name: string;
  checked: boolean;
  disabled: boolean;
  onChange: (store: boolean) => void;
}) {
  const id = useId();
  return (
    <span
      className={css.store}
      title={disabled ? 'A request that is reset before it is read cannot be stored.' : undefined}
    >
      <Checkbox checked={checked} disabled={disabled} label={`${name}: store the calls first`} onChange={onChange} />
      <span id={id} className={disabled ? 'muted' : 'secondary'}>
        store first
      </span>
    </span>
  );
}
