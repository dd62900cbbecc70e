import { cx } from '../../../lib/cx.ts';
import { Card } from '../parts.tsx';
import css from './privacy.module.css';

/** There is no log file: standard error belongs to whoever started the program. */
export const LogCard = () => (
  <Card title="Log" note="on standard error">
    <ul className={cx(css.sentences, 'secondary')}>
      <li>
        Hookbench writes no log file. The log goes to the terminal or program that started it; the engine writes one
        JSON object a line.
      </li>
      <li>
        It has times, names of events, row ids, counts, ports, paths and texts of errors. No payload, header value,
        secret or user id is in it.
      </li>
      <li>
        By default it has warnings and errors. <span className="mono">HOOKBENCH_LOG=debug</span> at the start shows
        more.
      </li>
    </ul>
  </Card>
);
