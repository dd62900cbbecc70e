import { cx } from '../../lib/cx.ts';
import { byteLength, formatSize } from '../../lib/format.ts';
import blockCss from './blocks.module.css';
import { NoticeBody } from './notice-body.tsx';

/** The body of a notice, byte for byte. */
export function BodySent({ body }: { body: string }) {
  return (
    <section className={blockCss.block} aria-label="Body sent">
      <div className={cx('flex-row', blockCss.heading)}>
        <h3>Body sent</h3>
        <span className="spacer" />
        <span className="muted">{formatSize(byteLength(body))}</span>
      </div>
      <NoticeBody body={body} />
      <p className={cx('muted small', blockCss.note)}>
        Only these three fields. Delete messages carry no version and no context.
      </p>
    </section>
  );
}
