/** Applies the guards to a session and to every web contents (reliability, section 6). */
import { app, type Session, type WebContents } from 'electron';
import { isPermissionAllowed, isRequestAllowed, type Origins } from './guards.ts';

/** Chromium's net error for a refused certificate. */
const refuseCertificate = -2;

export function hardenSession(session: Session, origins: Origins): void {
  session.webRequest.onBeforeRequest({ urls: ['<all_urls>'] }, (details, answer) => {
    answer({ cancel: !isRequestAllowed(details.url, details.resourceType, origins) });
  });
  session.setPermissionRequestHandler((_contents, permission, answer, details) => {
    answer(details.isMainFrame && isPermissionAllowed(permission, details.requestingUrl, origins));
  });
  session.setPermissionCheckHandler((_contents, permission, requestingOrigin, details) =>
    isPermissionAllowed(permission, details.requestingUrl ?? requestingOrigin, origins),
  );
  session.setDevicePermissionHandler(() => false);
  session.setDisplayMediaRequestHandler((_request, answer) => answer({}));
  session.setCertificateVerifyProc((_request, answer) => answer(refuseCertificate));
  session.setSpellCheckerEnabled(false);
}

function hardenContents(contents: WebContents): void {
  contents.on('will-navigate', (event) => event.preventDefault());
  contents.on('will-frame-navigate', (event) => event.preventDefault());
  contents.on('will-redirect', (event) => event.preventDefault());
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
}

/** Call it before the app is ready. */
export function hardenApp(): void {
  app.enableSandbox();
  app.on('web-contents-created', (_event, contents) => hardenContents(contents));
  app.on('certificate-error', (event, _contents, _url, _error, _certificate, answer) => {
    event.preventDefault();
    answer(false);
  });
  app.on('select-client-certificate', (event) => event.preventDefault());
  app.on('login', (event) => event.preventDefault());
}
