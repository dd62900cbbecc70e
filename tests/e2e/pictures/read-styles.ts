/** The computed style of every element, to say which element makes two pictures differ. */
import type { Page } from '@playwright/test';

/** An element each: its name and classes, then the values of PROPERTIES, parted by tabs. */
export type Styles = readonly string[];

const PROPERTIES = [
  'display|position|top|right|bottom|left|float|z-index|width|height|min-width|min-height|max-width|max-height',
  'margin-top|margin-right|margin-bottom|margin-left|padding-top|padding-right|padding-bottom|padding-left',
  'border-top|border-right|border-bottom|border-left|border-radius|outline|outline-offset|box-shadow',
  'background-color|background-image|color|opacity|fill|stroke|stroke-width|visibility|content',
  'font-family|font-variant-numeric|font-size|font-weight|font-style|line-height|letter-spacing|text-align|text-overflow|white-space',
  'text-decoration-line|overflow-wrap|overflow-x|overflow-y|cursor|user-select|pointer-events|transform|vertical-align',
  'flex|flex-direction|flex-wrap|align-items|align-self|justify-content|justify-items|column-gap|row-gap|order',
  'grid-template-columns|grid-template-rows|grid-row|grid-column|list-style-type|scrollbar-gutter|clip-path',
]
  .join('|')
  .split('|');

export const readStyles = (page: Page): Promise<Styles> =>
  page.evaluate((properties) => {
    const lines: string[] = [];
    const read = (element: Element, pseudo: string, name: string) => {
      const style = getComputedStyle(element, pseudo === '' ? null : pseudo);
      if (pseudo !== '' && style.content === 'none') return;
      lines.push([name + pseudo, ...properties.map((property) => style.getPropertyValue(property))].join('\t'));
    };
    for (const element of document.querySelectorAll('body, body *:not(svg *)')) {
      const text = element.childElementCount === 0 ? ` "${(element.textContent ?? '').trim().slice(0, 20)}"` : '';
      const label = element.getAttribute('aria-label');
      const name = `${element.tagName.toLowerCase()}${label === null ? '' : `[${label}]`}${text} .${element.getAttribute('class') ?? ''}`;
      for (const pseudo of ['', '::before', '::after']) read(element, pseudo, name);
    }
    return lines;
  }, PROPERTIES);

/** What differs, element by element; at most `limit` lines. */
export function stylesThatDiffer(before: Styles, after: Styles, limit: number): string[] {
  const found: string[] = before.length === after.length ? [] : [`${before.length} elements, then ${after.length}`];
  for (let i = 0; i < Math.min(before.length, after.length) && found.length < limit; i++) {
    const [one, other] = [before[i]!.split('\t'), after[i]!.split('\t')];
    const changed = PROPERTIES.flatMap((property, at) =>
      one[at + 1] === other[at + 1] ? [] : [`${property}: ${one[at + 1]} -> ${other[at + 1]}`],
    );
    if (changed.length > 0) found.push(`${one[0]} => ${other[0]?.replace(/^.* \./, '.')} | ${changed.join('; ')}`);
  }
  return found;
}
