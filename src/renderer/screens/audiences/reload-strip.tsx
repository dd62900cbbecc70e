import { Button } from '../../components/button.tsx';
import type { Pages } from '../../stores/use-pages.ts';
import css from './reload-strip.module.css';

/** Under a long list that has changed since it was read. */
export function ReloadStrip({ pages }: { pages: Pages<unknown> }) {
  if (!pages.stale) return null;
  return (
    <div className={css.strip} role="status">
      <span className="secondary">The list has changed.</span>
      <Button size="sm" onClick={pages.reload}>
        Read it again
      </Button>
    </div>
  );
}
