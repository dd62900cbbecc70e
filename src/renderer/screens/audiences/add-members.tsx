import { useMemo, useRef, useState } from 'react';
import type { AudienceRow } from '../../../contract/audiences.ts';
import { Button } from '../../components/button.tsx';
import { failureText } from '../../components/commit-field.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { formatCount, plural } from '../../lib/format.ts';
import { showToast } from '../../stores/toasts.ts';
import { editMembers } from './actions.ts';
import { IdsField } from './ids-field.tsx';
import { readIds } from './ids-text.ts';
import { sentence } from './words.ts';

/** Adds pasted or typed ids. Those that are in already stay as they are. */
export function AddMembers({ audience, onClose }: { audience: AudienceRow; onClose: () => void }) {
  const [text, setText] = useState('');
  const [error, setError] = useState<string | null>(null);
  const read = useMemo(() => readIds(text), [text]);
  const busy = useRef(false);
  const add = async () => {
    if (busy.current) return;
    if (read.tooLongAt !== null) return;
    if (read.ids.length === 0) return setError('Paste one or more user ids.');
    busy.current = true;
    try {
      const added = await editMembers(audience.id, 'add', read.ids);
      const already = read.ids.length - added;
      onClose();
      showToast({
        title: `${plural(added, 'member')} added`,
        body: already === 0 ? undefined : `${formatCount(already)} ${already === 1 ? 'was' : 'were'} in already.`,
      });
    } catch (failure) {
      setError(sentence(failureText(failure)));
    } finally {
      busy.current = false;
    }
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="Add members"
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" onClick={() => void add()}>
            {read.ids.length > 0 ? `Add ${plural(read.ids.length, 'member')}` : 'Add members'}
          </Button>
        </>
      }
    >
      <IdsField
        text={text}
        read={read}
        error={error}
        autoFocus
        onText={(next) => {
          setText(next);
          setError(null);
        }}
      />
    </Dialog>
  );
}
