import { useState } from 'react';
import type { LabVerdict, Variant } from '../../../contract/signature-lab.ts';
import { knownFrom } from '../../../contract/signature-words.ts';
import { Button } from '../../components/button.tsx';
import { cx } from '../../lib/cx.ts';
import { formatCount } from '../../lib/format.ts';
import screenCss from './signature-screen.module.css';
import css from './variant-list.module.css';
import { shortDigest, variantBy, variantLabel } from './words.ts';

const FIRST = 10;

interface Row extends Variant {
  readonly by: string;
  readonly result: 'Expected' | 'Your digest' | 'No match';
}

/** Single changes and whole libraries with the digests that they give, the one of the receiver second. */
export function VariantList({
  variants,
  verdict,
  digest,
}: {
  variants: readonly Variant[];
  verdict: LabVerdict | null;
  digest: string;
}) {
  const [all, setAll] = useState(false);
  const rows = rowsOf(variants, verdict, digest);
  const shown = all ? rows : rows.slice(0, FIRST);
  return (
    <section className={screenCss.block} aria-label="Variants">
      <div className={screenCss.head}>
        <h2>Variants</h2>
        <span className="muted">
          {formatCount(rows.length)}, {all ? 'all' : `first ${formatCount(shown.length)}`} shown
        </span>
        <span className="spacer" />
        {rows.length > FIRST && (
          <Button size="sm" variant="ghost" onClick={() => setAll(!all)}>
            {all ? 'Show fewer' : 'Show all'}
          </Button>
        )}
      </div>
      <ul className={css.list}>
        {shown.map((row) => (
          <li key={row.digest} className={cx(css.row, row.result === 'Your digest' && css.hit)}>
            <span className="ellipsis" title={variantLabel(row)}>
              {variantLabel(row)}
            </span>
            <span className="muted ellipsis">{row.by}</span>
            <span className="mono secondary nowrap" title={row.digest}>
              {shortDigest(row.digest)}
            </span>
            <span className={row.result === 'Your digest' ? 'medium' : 'muted'}>{row.result}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The expected one, then that of the receiver, then the others. */
function rowsOf(variants: readonly Variant[], verdict: LabVerdict | null, digest: string): Row[] {
  const [exact, ...others] = variants.map((variant) => ({ ...variant, by: variantBy(variant) }));
  if (exact === undefined) return [];
  const isMatch = verdict?.kind === 'match';
  const first: Row = { ...exact, result: isMatch ? 'Your digest' : 'Expected' };
  const rest: Row[] = others.map((variant) => ({ ...variant, result: 'No match' }));
  if (verdict?.kind !== 'explained') return [first, ...rest];
  const same = JSON.stringify(verdict.changes);
  const known = others.find(({ changes }) => JSON.stringify(changes) === same);
  const found = known ?? { changes: verdict.changes, library: null, digest: digest.trim(), by: knownFrom(verdict) };
  return [first, { ...found, result: 'Your digest' }, ...rest.filter((row) => row.digest !== found.digest)];
}
