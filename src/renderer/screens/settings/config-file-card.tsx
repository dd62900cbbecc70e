import { Copy, Download } from 'lucide-react';
import { Button } from '../../components/button.tsx';
import css from '../../components/setting.module.css';
import { call } from '../../platform/connect.ts';
import { copyAndSay } from '../../stores/copied.ts';
import { saveAndSay } from '../../stores/saved.ts';
import { showFailure, showToast } from '../../stores/toasts.ts';
import { Card } from './parts.tsx';

const FILE = 'hookbench.json';

/** The settings of the workspace as a file, to keep in the repository of the code under test. */
export function ConfigFileCard() {
  return (
    <Card title="Config file" note="the settings of this workspace">
      <p className="secondary">
        <span className="mono">hookbench serve --config {FILE}</span> starts a workspace with the same sources,
        webhooks, rules, faults and receivers. Secrets are not in the file: the names of environment variables stand in
        their place.
      </p>
      <div className={css.control}>
        <Button icon={Download} onClick={() => void saveConfig()}>
          Save as {FILE}
        </Button>
        <Button icon={Copy} onClick={() => void copyConfig()}>
          Copy {FILE}
        </Button>
      </div>
    </Card>
  );
}

async function saveConfig(): Promise<void> {
  try {
    const { text, variables } = await call('config.export');
    if (await saveAndSay(FILE, text)) sayVariables(variables);
  } catch (error) {
    showFailure('save the config file', error);
  }
}

async function copyConfig(): Promise<void> {
  try {
    const { text, variables } = await call('config.export');
    if (await copyAndSay(text, `${FILE} copied`)) sayVariables(variables);
  } catch (error) {
    showFailure('copy the config file', error);
  }
}

/** The variables for secrets that a start with the file needs. */
function sayVariables(variables: readonly string[]): void {
  if (variables.length > 0) showToast({ title: 'Set before a start with it', body: variables.join(', ') });
}
