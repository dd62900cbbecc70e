import { Check } from 'lucide-react';
import panelCss from '../next-sync.module.css';

/** What the values follow, in short sentences. */
export function TraitRules({ texts }: { texts: readonly string[] }) {
  return (
    <section className={panelCss.block} aria-label="Rules">
      <h3>Rules</h3>
      <ul className={panelCss.rules}>
        {texts.map((text) => (
          <li key={text}>
            <Check className="icon" aria-hidden="true" />
            <span>{text}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
