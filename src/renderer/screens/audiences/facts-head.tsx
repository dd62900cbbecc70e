import type { ReactNode } from 'react';
import type { AudienceRow } from '../../../contract/audiences.ts';
import { Text } from '../../components/text.tsx';
import { cx } from '../../lib/cx.ts';
import css from './audience-detail.module.css';

/** A name over a value. */
export const Fact = ({ name, tone, children }: { name: string; tone?: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd className={tone}>{children}</dd>
  </div>
);

/** The name of an audience or a trait, what can be done with it, and facts about it: the property first. */
export const FactsHead = ({
  audience: { name, property },
  tag,
  actions,
  children,
}: {
  audience: AudienceRow;
  tag?: ReactNode;
  actions?: ReactNode;
  /** Further facts. */
  children: ReactNode;
}) => (
  <header className={css.head}>
    <div className={cx('flex-row', css.title)}>
      <h2 className="ellipsis" title={name}>
        <Text>{name}</Text>
      </h2>
      {tag}
      <span className="spacer" />
      {actions}
    </div>
    <dl className={css.facts}>
      <div>
        <dt>Trait sent</dt>
        <dd className="mono" title={property}>
          {property}
        </dd>
      </div>
      {children}
    </dl>
  </header>
);
