import { useContext } from 'react';
import { Dialog } from '../components/dialog.tsx';
import { ShortcutGroups, ShortcutList } from './shortcut-list.tsx';

/** The sheet of `?`. */
export const ShortcutsDialog = ({ open, onClose }: { open: boolean; onClose: () => void }) => (
  <Dialog open={open} onClose={onClose} title="Keyboard shortcuts" width={560}>
    <ShortcutList groups={useContext(ShortcutGroups)} />
  </Dialog>
);
