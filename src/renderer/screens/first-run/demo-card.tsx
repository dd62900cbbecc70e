import { Activity, ListChecks, type LucideIcon, Play, Users, UserX } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import cardCss from '../../components/card.module.css';
import { Kbd } from '../../components/tag.tsx';
import toneCss from '../../components/tone.module.css';
import { letterAllowed } from '../../frame/keys.ts';
import { useWindowKeys } from '../../frame/use-window-keys.ts';
import { cx } from '../../lib/cx.ts';
import { call } from '../../platform/connect.ts';
import { leave } from '../../platform/leave.ts';
import css from './demo-card.module.css';
import { ShopDrawing } from './shop-drawing.tsx';

type Start =
  | { readonly state: 'idle' }
  | { readonly state: 'opening' }
  /** The desktop app shows it in a window of its own. */
  | { readonly state: 'beside' }
  /** Another demo runs: its one-time address. */
  | { readonly state: 'running'; readonly url: string }
  | { readonly state: 'failed'; readonly message: string };

/** Opens the demo and goes there; when one runs already, offers to go there. */
function useDemoStart(): { start: Start; begin: () => void } {
  const [start, setStart] = useState<Start>({ state: 'idle' });
  const begin = () => {
    if (start.state === 'opening') return;
    setStart({ state: 'opening' });
    call('demo.open', {}).then(
      ({ url, existing }) => {
        if (url === null) setStart({ state: 'beside' });
        else if (existing) setStart({ state: 'running', url });
        else leave.to(url);
      },
      (error: unknown) => setStart({ state: 'failed', message: (error as Error).message }),
    );
  };
  useWindowKeys((event) => {
    if (event.key.toLowerCase() !== 'd' || event.shiftKey || event.repeat || !letterAllowed(event)) return;
    event.preventDefault();
    begin();
  });
  return { start, begin };
}

const PARTS: ReadonlyArray<readonly [icon: LucideIcon, title: string, text: string]> = [
  [Activity, 'A live stream of 20 calls a minute', 'and 200 from before, to have something to read'],
  [Users, 'An audience and a computed trait', 'synced once, with changes waiting'],
  [UserX, 'A deletion request', 'with notices, an erased user and the drill'],
  [ListChecks, 'A tour in five steps', 'at the foot of the window, to end at any time'],
];

export function DemoCard() {
  const { start, begin } = useDemoStart();
  return (
    <section className={cx(cardCss.card, css.card)}>
      <h3>Start with a demo shop</h3>
      <p className="secondary">A made-up shop sends calls through the real port.</p>
      <ShopDrawing />
      <ul className={css.parts}>
        {PARTS.map(([Icon, title, text]) => (
          <li key={title}>
            <Icon className="icon icon-large muted" aria-hidden="true" />
            <div>
              <span className="medium">{title}</span>
              <span className="secondary">{text}</span>
            </div>
          </li>
        ))}
      </ul>
      <div className={css.go}>
        <Button
          variant="primary"
          size="lg"
          icon={Play}
          className={css.button}
          disabled={start.state === 'opening'}
          onClick={begin}
        >
          {start.state === 'opening' ? 'Opening the shop' : 'Start with a demo shop'} <Kbd>D</Kbd>
        </Button>
        <Said start={start} />
        <p className={cx('mono muted', css.command)}>$ hookbench demo --seed 42</p>
      </div>
    </section>
  );
}

function Said({ start }: { start: Start }) {
  return (
    <p className={cx(css.said, start.state === 'failed' ? toneCss.bad : 'muted')} role="status">
      {start.state === 'failed' && start.message}
      {start.state === 'running' && (
        <>
          Another demo runs:{' '}
          <a href={start.url} rel="noreferrer">
            Go to it
          </a>
        </>
      )}
      {start.state === 'beside' && 'The demo shop opened in a window of its own.'}
      {(start.state === 'idle' || start.state === 'opening') && 'In a workspace of its own; yours stays as it is.'}
    </p>
  );
}
