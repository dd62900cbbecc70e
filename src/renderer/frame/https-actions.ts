/** The user's actions on ingest's https listener, from the banner and from the Sources screen. */
import type { HttpsView } from '../../contract/values.ts';
import { call } from '../platform/connect.ts';
import { applyAnswer, useRecords } from '../stores/records.ts';
import { tracked } from '../stores/saves.ts';
import { showFailure, showToast } from '../stores/toasts.ts';

/** `localhost` is in the certificate, as are both loopback addresses. */
export const httpsUrl = (port: number): string => `https://localhost:${port}`;

/** Turns it on or off, or tries a port. Throws the engine's error. */
export async function setHttps(change: { enabled?: boolean; port?: number }): Promise<HttpsView> {
  const https = await tracked(call('ingest.https', change));
  const { status } = useRecords.getState();
  if (status !== undefined) applyAnswer({ status: { ...status, https } });
  return https;
}

/** The same, with the result as a toast. */
export async function turnHttps(enabled: boolean): Promise<void> {
  try {
    const { state, port } = await setHttps({ enabled });
    if (state === 'listening')
      showToast({ title: `Listening on ${httpsUrl(port)}`, body: 'Clients must trust its certificate.' });
  } catch (error) {
    showFailure(enabled ? 'listen over https' : 'stop listening over https', error);
  }
}

/** PEM of the certificate to trust. The engine makes it when there is none. */
export const authorityPem = async (): Promise<string> => (await call('ingest.authority')).pem;
