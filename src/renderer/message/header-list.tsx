import type { HeaderView } from '../../contract/values.ts';
import { HeaderValue } from '../components/header-value.tsx';
import { Text } from '../components/text.tsx';
import css from './message.module.css';

/** HTTP headers in the order sent. A hidden value is shown as its length only. */
export function HeaderList({ headers }: { headers: readonly HeaderView[] }) {
  if (headers.length === 0) return null;
  return (
    <dl className={css.headers}>
      {headers.map((header, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a name may stand twice; the order is theirs
        <div key={index}>
          <dt>
            <Text ltr>{header.name}</Text>
          </dt>
          <dd>
            <HeaderValue header={header} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
