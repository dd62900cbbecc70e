import { Text } from './text.tsx';
import css from './user-id.module.css';

/**
 * A user id as it is stored. White space at its ends, which makes it another user, is drawn as marked dots. The empty
 * one of a call in a sync is that of an erased user.
 */
export function UserId({ children }: { children: string }) {
  if (children === '') return <span className="muted">erased user</span>;
  const inner = children.trim();
  const at = children.indexOf(inner);
  return (
    <>
      <Spaces count={inner === '' ? children.length : at} />
      <Text ltr>{inner}</Text>
      <Spaces count={inner === '' ? 0 : children.length - at - inner.length} />
    </>
  );
}

function Spaces({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <span className={css.spaces} title="White space that is part of the id">
      {'\u00b7'.repeat(Math.min(count, 20))}
    </span>
  );
}
