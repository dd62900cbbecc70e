import { useRef, useState } from 'react';
import type { ReceiverView } from '../../../contract/receivers.ts';
import { Button } from '../../components/button.tsx';
import { failureText } from '../../components/commit-field.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Glyph } from '../../components/glyph.tsx';
import layoutCss from '../../components/layout.module.css';
import toneCss from '../../components/tone.module.css';
import { cx } from '../../lib/cx.ts';
import { ATTEMPT_WORDS } from '../../lib/words/attempts.ts';
import { showToast } from '../../stores/toasts.ts';
import { addReceiver } from './actions.ts';
import { NameField } from './name-field.tsx';
import css from './new-receiver.module.css';
import { CHECK, PRESETS, type Preset } from './presets.ts';
import { behaviourKind } from './words.ts';

/** One click makes a receiver from a preset. Its program can be edited afterwards. */
export function NewReceiver({ onClose, onAdded }: { onClose: () => void; onAdded: (receiver: ReceiverView) => void }) {
  const [name, setName] = useState('');
  const [error, setError] = useState<string | null>(null);
  const rename = (next: string) => {
    setName(next);
    setError(null);
  };
  const busy = useRef(false);

  const add = async (preset: Preset) => {
    if (busy.current) return;
    busy.current = true;
    try {
      const steps = [...preset.steps];
      const given = name.trim() === '' ? preset.name : name;
      const added = await addReceiver({ name: given, tls: preset.tls ?? false, steps, check: CHECK });
      onAdded(added);
      onClose();
      showToast({ title: 'Receiver added', body: added.name });
    } catch (failure) {
      setError(failureText(failure));
    } finally {
      busy.current = false;
    }
  };
  return (
    <Dialog open onClose={onClose} title="New receiver" width={640} actions={<Button onClick={onClose}>Cancel</Button>}>
      <NameField name={name} hint="If left empty, it is named after what it does." error={error} onChange={rename} />
      <p className={css.presetsTitle} id="receiver-presets">
        Choose what it does. You can change every step later.
      </p>
      <ul className={css.presets} aria-labelledby="receiver-presets">
        {PRESETS.map((preset) => (
          <li key={preset.name}>
            <button type="button" className={css.preset} onClick={() => void add(preset)}>
              <Glyph
                name={
                  ATTEMPT_WORDS[behaviourKind({ steps: [...preset.steps], check: CHECK, tls: preset.tls ?? false })]
                    .glyph
                }
              />
              <span className={layoutCss.column}>
                <span className={cx('medium', toneCss.strong)}>{preset.name}</span>
                <span className="muted small">{preset.about}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
