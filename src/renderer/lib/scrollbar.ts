import css from './scrollbar.module.css';

/**
 * Sets `--scrollbar` to the width that a scroll bar takes beside its content: 10 px in Chromium, 0 where bars overlay
 * the content. Scrolling pages reserve that width and subtract it from their padding, so that their right edge lines up
 * with the header whether they scroll or not.
 */
export function measureScrollbar(): void {
  const box = document.createElement('div');
  box.className = css.probe ?? '';
  document.body.append(box);
  document.documentElement.style.setProperty('--scrollbar', `${box.offsetWidth - box.clientWidth}px`);
  box.remove();
}
