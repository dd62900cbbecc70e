import { Check, CircleAlert } from 'lucide-react';
import { useEffect } from 'react';
import layoutCss from '../components/layout.module.css';
import toneCss from '../components/tone.module.css';
import { cx } from '../lib/cx.ts';
import { forgetFailedSaves, useSaves } from '../stores/saves.ts';

/** "All changes saved", for the header of screens that save by themselves. */
export function SaveState() {
  const { pending, failed } = useSaves();
  useEffect(() => forgetFailedSaves, []);
  const text = pending > 0 ? 'Saving' : failed ? 'A change is not saved' : 'All changes saved';
  const Icon = failed && pending === 0 ? CircleAlert : Check;
  return (
    <span
      className={cx('flex-row nowrap', layoutCss.gap6, failed && pending === 0 ? toneCss.bad : 'muted')}
      role="status"
    >
      {pending === 0 && <Icon className="icon" aria-hidden="true" />}
      <span className="ellipsis">{text}</span>
    </span>
  );
}
