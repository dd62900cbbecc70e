import { ChevronDown, GripVertical, Pencil, X } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { RECEIVER_LIMITS } from '../../../contract/receiver-limits.ts';
import type { ReceiverResponse, ReceiverStep } from '../../../contract/receivers.ts';
import { IconButton } from '../../components/button.tsx';
import { Cell } from '../../components/glyph.tsx';
import inputCss from '../../components/input.module.css';
import { Menu, type MenuItem } from '../../components/menu.tsx';
import { NumberBox } from '../../components/number-box.tsx';
import { Text } from '../../components/text.tsx';
import { cx } from '../../lib/cx.ts';
import { ATTEMPT_WORDS } from '../../lib/words/attempts.ts';
import { QUICK_RESPONSES } from './presets.ts';
import { ResponseDialog } from './response-dialog.tsx';
import css from './step-row.module.css';
import { responseKind, responseText } from './words.ts';

/** One step: what it answers, how often, after how long. */
export function StepRow({
  step,
  number,
  only,
  onChange,
  onMove,
  onRemove,
}: {
  step: ReceiverStep;
  /** From 1. */
  number: number;
  /** A program has at least one step. */
  only: boolean;
  onChange: (part: Partial<ReceiverStep>) => void;
  onMove: (by: -1 | 1) => void;
  onRemove: () => void;
}) {
  const { response, times, delayMs } = step;
  const move = (event: KeyboardEvent) => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    event.preventDefault();
    onMove(event.key === 'ArrowUp' ? -1 : 1);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys belong to the controls inside
    <div className={css.step} onKeyDown={move}>
      <button
        type="button"
        className={css.grip}
        draggable={!only}
        aria-label={`Step ${number}, ${responseText(response)}. Alt and the arrows move it.`}
      >
        <GripVertical className="icon" aria-hidden="true" />
      </button>
      <span className="secondary">{number}</span>
      <ResponsePicker response={response} number={number} onChange={(next) => onChange({ response: next })} />
      <NumberBox
        label={`Times of step ${number}, empty for ever`}
        value={times === 'forever' ? null : times}
        unit={times === 1 ? 'time' : 'times'}
        min={1}
        max={RECEIVER_LIMITS.times}
        empty="for ever"
        onCommit={(next) => onChange({ times: next ?? 'forever' })}
      />
      <NumberBox
        label={`Delay of step ${number} in milliseconds`}
        value={delayMs}
        unit="ms delay"
        min={0}
        max={RECEIVER_LIMITS.delayMs}
        onCommit={(next) => onChange({ delayMs: next ?? 0 })}
      />
      <IconButton label={`Remove step ${number}`} hint="Remove step" icon={X} disabled={only} onClick={onRemove} />
    </div>
  );
}

function ResponsePicker({
  response,
  number,
  onChange,
}: {
  response: ReceiverResponse;
  number: number;
  onChange: (response: ReceiverResponse) => void;
}) {
  const [editing, setEditing] = useState(false);
  const text = responseText(response);
  const items = QUICK_RESPONSES.flatMap((group): MenuItem[] => [
    ...group.map((quick) => ({ label: responseText(quick), run: () => onChange(quick) })),
    'divider',
  ]);
  items.push({ label: 'Status, headers, body and more', icon: Pencil, run: () => setEditing(true) });
  return (
    <>
      <Menu
        trigger={
          <button
            type="button"
            className={cx(inputCss.box, css.picker)}
            aria-label={`Response of step ${number}: ${text}`}
          >
            <Cell large mark={ATTEMPT_WORDS[responseKind(response)].cell} />
            <span className="ellipsis" title={text}>
              <Text>{text}</Text>
            </span>
            <span className="spacer" />
            <ChevronDown className="icon" aria-hidden="true" />
          </button>
        }
        items={items}
      />
      {editing && <ResponseDialog start={response} onSave={onChange} onClose={() => setEditing(false)} />}
    </>
  );
}
