import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { Group, Panel, type PanelImperativeHandle, Separator } from 'react-resizable-panels';
import { DEFAULT_DETAIL_WIDTH, MIN_DETAIL_WIDTH, useView } from '../../stores/view.ts';
import css from './split.module.css';

const MIN_LIST_WIDTH = 540;
const STEP = 16;

/**
 * List and detail with a divider: drag, arrow keys (16 px), double-click for the default width. The user's choice is
 * kept. While the window is too small for it, the detail is narrower.
 */
export function Split({ list, detail }: { list: ReactNode; detail: ReactNode | null }) {
  const panel = useRef<PanelImperativeHandle>(null);
  const dragging = useRef(false);
  const choose = (px: number) => {
    const detailWidth = Math.round(Math.max(MIN_DETAIL_WIDTH, px));
    useView.setState({ detailWidth });
    panel.current?.resize(detailWidth);
  };
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowLeft: STEP, ArrowRight: -STEP }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    choose((panel.current?.getSize().inPixels ?? DEFAULT_DETAIL_WIDTH) + step);
  };
  const onPointerDown = () => {
    dragging.current = true;
    window.addEventListener('pointerup', () => setTimeout(() => (dragging.current = false)), { once: true });
  };
  useEffect(() => {
    const restore = () => panel.current?.resize(useView.getState().detailWidth);
    window.addEventListener('resize', restore);
    return () => window.removeEventListener('resize', restore);
  }, []);
  return (
    <Group className={css.split} orientation="horizontal">
      <Panel id="list" minSize={detail === null ? 0 : MIN_LIST_WIDTH}>
        {list}
      </Panel>
      {detail !== null && (
        <>
          <Separator
            className={css.divider}
            aria-label="Width of the detail"
            disableDoubleClick
            onDoubleClick={() => choose(DEFAULT_DETAIL_WIDTH)}
            onKeyDownCapture={onKey}
            onPointerDown={onPointerDown}
          />
          <Panel
            id="detail"
            panelRef={panel}
            defaultSize={useView.getState().detailWidth}
            minSize={MIN_DETAIL_WIDTH}
            maxSize="60%"
            groupResizeBehavior="preserve-pixel-size"
            onResize={({ inPixels }) => {
              if (dragging.current) useView.setState({ detailWidth: Math.round(inPixels) });
            }}
          >
            {detail}
          </Panel>
        </>
      )}
    </Group>
  );
}
