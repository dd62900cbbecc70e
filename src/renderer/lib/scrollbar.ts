import css from './scrollbar.module.css';

let width = 0;

/** Of the bar beside a box that scrolls now, in px; 0 where bars overlay the content, and before it is measured. */
export const scrollbarWidth = (): number => width;

/**
 * Sets `--scrollbar` to the width that a scroll bar takes beside its content: 10 px in Chromium, 0 where bars overlay
 * the content. Scrolling pages reserve that width and subtract it from their padding, so that their right edge lines up
 * with the header whether they scroll or not.
 */
export function measureScrollbar(): void {
  const box = document.createElement('div');
  box.className = css.probe ?? '';
  document.body.append(box);
  const barOf = () => box.offsetWidth - box.clientWidth;
  document.documentElement.style.setProperty('--scrollbar', `${barOf()}px`);
  // A browser without a screen reserves room for bars that it does not show.
  box.classList.add(css.scrolls ?? '');
  width = barOf();
  box.remove();
}
