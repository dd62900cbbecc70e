// What the parts of the double share: the browser's context and the app, set by main.mjs and electron.cjs.
exports.runtime = { context: null, app: null, ipcMain: null, nativeTheme: null, closing: [] };

const fake = /^(blob:)?https:\/\/([a-z0-9-]+)\.([a-z]+)-double\.invalid/;

/** Chromium does not know the app's scheme, so its pages come from an origin that stands for it. */
exports.fakeUrl = (url) => url.replace(/^(app):\/\/([a-z0-9-]+)/, 'https://$2.$1-double.invalid');
exports.trueUrl = (url) => url.replace(fake, '$1$3://$2');

exports.preventable = (fields) => ({
  ...fields,
  defaultPrevented: false,
  preventDefault() {
    this.defaultPrevented = true;
  },
});
