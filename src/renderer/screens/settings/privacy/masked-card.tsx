import { ContractError } from '../../../../contract/errors.ts';
import { CommitField } from '../../../components/commit-field.tsx';
import { cx } from '../../../lib/cx.ts';
import { pathsOf, problemOf, textOfPaths } from '../../../message/export/mask-paths.ts';
import { call } from '../../../platform/connect.ts';
import { applyAnswer, useRecords } from '../../../stores/records.ts';
import { tracked } from '../../../stores/saves.ts';
import { Card } from '../parts.tsx';
import css from './privacy.module.css';

/** The fields that every export masks unless a person changes that in its dialog. */
export function MaskedCard() {
  const exports = useRecords((state) => state.exports);
  if (exports === undefined) return null;
  return (
    <Card title="Exports and pages to share" note="of this workspace">
      <div className={css.wide}>
        <CommitField
          label="Mask fields"
          mono
          value={textOfPaths(exports.mask)}
          placeholder="traits.email, context.ip"
          hint="Paths into the call, separated by commas. Every export begins with these, in the app and on the command line."
          onCommit={save}
        />
      </div>
      <ul className={cx(css.sentences, 'secondary')}>
        <li>
          The value of a masked field is replaced wherever it appears in its message: call, bodies, headers, answers.
        </li>
        <li>
          Write keys, the shared secret and hidden header values are in no export. X-Signature is only where you ask for
          it.
        </li>
        <li>What you copy from a message (body, curl, raw) is not masked, and neither is what is sent.</li>
      </ul>
    </Card>
  );
}

async function save(text: string): Promise<void> {
  const mask = pathsOf(text);
  const problem = problemOf(mask);
  if (problem !== null) throw new ContractError('invalid_argument', problem);
  applyAnswer({ exports: await tracked(call('exports.save', { mask })) });
}
