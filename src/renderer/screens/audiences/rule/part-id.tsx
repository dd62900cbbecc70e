import css from './part-id.module.css';

/** The number of a part of the rule: `1`, `3a`. */
export const PartId = ({ children }: { children: string }) => <span className={css.id}>{children}</span>;
