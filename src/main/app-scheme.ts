/** Serves `app://hookbench` from the fixed file map, and answers everything else with 404 (reliability, U6). */
import { newNonce, pageHeaders } from '../shell/page-headers.ts';
import { fileBytes, type RendererFiles } from '../shell/renderer-files.ts';
import { appOrigin } from './origin.ts';

/** The path is looked up as it stands in the URL: nothing is decoded, joined or normalised. */
export function answerAppRequest(files: RendererFiles, url: string, method: string): Response {
  const nonce = newNonce();
  const headers = pageHeaders(nonce, [], 'noopener-allow-popups');
  const isRead = method === 'GET' || method === 'HEAD';
  const file = url.startsWith(`${appOrigin}/`) ? files.get(url.slice(appOrigin.length)) : undefined;
  if (file === undefined || !isRead) return new Response(null, { status: isRead ? 404 : 405, headers });
  const body = method === 'HEAD' ? null : new Uint8Array(fileBytes(file, nonce));
  return new Response(body, { status: 200, headers: { ...headers, 'Content-Type': file.type } });
}
