/** `hookbench certificate`: the certificate that a client must trust to use the https listener. */
import { X509Certificate } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { jsonText, terminalText } from '../contract/plain-text.ts';
import { AUTHORITY_FILE } from '../core/local-authority/authority.ts';
import { workspaceFolder, workspaceOption } from '../shell/start-options.ts';
import { defineCommand } from './command.ts';
import { openRunning } from './running.ts';

interface Certificate {
  readonly pem: string;
  readonly fingerprint256: string;
  /** Epoch milliseconds. */
  readonly validTo: number;
}

/** No instance runs on the workspace and none has made a certificate. */
export class NoAuthorityError extends Error {
  readonly code = 'no_authority';
}

/** A running instance makes the certificate if there is none. Without an instance, the workspace's file is read. */
async function certificateOf(workspace: string): Promise<Certificate> {
  const running = await openRunning(workspace);
  if (running === null) return storedCertificate(workspace);
  try {
    return await running.call('ingest.authority');
  } finally {
    running.close();
  }
}

function storedCertificate(workspace: string): Certificate {
  let pem: string;
  try {
    pem = readFileSync(join(workspace, AUTHORITY_FILE), 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    const message = `${workspace} has no certificate yet, and no instance runs there that could make one.`;
    throw new NoAuthorityError(message);
  }
  const { fingerprint256, validTo } = new X509Certificate(pem);
  return { pem, fingerprint256, validTo: Date.parse(validTo) };
}

/** Prints the PEM, or writes it to a file and says so. */
export const certificateCommand = defineCommand({
  name: 'certificate',
  summary: 'Print the certificate that clients of the https listener must trust, as PEM.',
  options: {
    out: { type: 'string', value: 'FILE', help: 'Write it to this file instead' },
    workspace: workspaceOption,
    json: { type: 'boolean', help: 'Print one JSON object: certificate, fingerprint and end of validity' },
  },
  run: async ({ values, env }) => {
    const { pem, fingerprint256, validTo } = await certificateOf(workspaceFolder(values.workspace, env));
    const file = values.out === undefined ? null : resolve(values.out);
    if (file !== null) writeFileSync(file, `${pem}\n`);
    const facts = { fingerprint256, validTo: new Date(validTo).toISOString() };
    if (values.json) process.stdout.write(`${jsonText({ ...facts, file: file ?? undefined, pem })}\n`);
    else if (file === null) process.stdout.write(`${pem}\n`);
    else process.stdout.write(`Wrote ${terminalText(file)}. SHA-256 ${fingerprint256}, valid to ${facts.validTo}.\n`);
  },
});
