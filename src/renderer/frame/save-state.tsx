import { Check, CircleAlert } from 'lucide-react';
import { useEffect } from 'react';
import { forgetFailedSaves, useSaves } from '../stores/saves.ts';

/** "All changes saved", for the header of screens that save by themselves. */
export function SaveState() {
  const { pending, failed } = useSaves();
  useEffect(() => forgetFailedSaves, []);
  const text = pending > 0 ? 'Saving' : failed ? 'A change is not saved' : 'All changes saved';
  const Icon = failed && pending === 0 ? CircleAlert : Check;
  return (
    <span className={`row g6 nw ${failed && pending === 0 ? 'bad' : 't3'}`} role="status">
      {pending === 0 && <Icon className="ic s14" aria-hidden="true" />}
      <span className="el">{text}</span>
    </span>
  );
}
