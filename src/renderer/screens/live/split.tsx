import { type KeyboardEvent, type ReactNode, useRef } from 'react';
import { Group, Panel, type PanelImperativeHandle, Separator } from 'react-resizable-panels';
import { DEFAULT_DETAIL_WIDTH, MIN_DETAIL_WIDTH, useView } from '../../stores/view.ts';

const MIN_LIST_WIDTH = 540;
const STEP = 16;

/** List and detail with a divider: drag, arrow keys (16 px), double-click for the width it came with. */
export function Split({ list, detail }: { list: ReactNode; detail: ReactNode | null }) {
  const panel = useRef<PanelImperativeHandle>(null);
  const width = useRef(useView.getState().detailWidth);
  const resize = (px: number) => panel.current?.resize(Math.max(MIN_DETAIL_WIDTH, px));
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowLeft: STEP, ArrowRight: -STEP }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    resize((panel.current?.getSize().inPixels ?? DEFAULT_DETAIL_WIDTH) + step);
  };
  return (
    <Group className="lv-split" orientation="horizontal">
      <Panel id="list" minSize={detail === null ? 0 : MIN_LIST_WIDTH}>
        {list}
      </Panel>
      {detail !== null && (
        <>
          <Separator
            className="lv-divider"
            aria-label="Width of the detail"
            disableDoubleClick
            onDoubleClick={() => resize(DEFAULT_DETAIL_WIDTH)}
            onKeyDownCapture={onKey}
          />
          <Panel
            id="detail"
            panelRef={panel}
            defaultSize={width.current}
            minSize={MIN_DETAIL_WIDTH}
            maxSize="60%"
            groupResizeBehavior="preserve-pixel-size"
            onResize={({ inPixels }) => {
              width.current = Math.round(inPixels);
              useView.setState({ detailWidth: width.current });
            }}
          >
            {detail}
          </Panel>
        </>
      )}
    </Group>
  );
}
