// Downloads: Chromium fetches the file into a folder of the double; the save dialog and the file in its place are here.
const { EventEmitter } = require('node:events');
const { copyFileSync, mkdirSync, rmSync } = require('node:fs');
const { basename, join } = require('node:path');
const { trueUrl, preventable } = require('./runtime.cjs');

class DownloadItem extends EventEmitter {
  #options = {};
  #savePath = '';
  #state = 'progressing';
  #url;
  #filename;

  constructor({ url, suggestedFilename }) {
    super();
    this.#url = trueUrl(url);
    this.#filename = suggestedFilename;
  }

  getURL() {
    return this.#url;
  }

  getFilename() {
    return this.#filename;
  }

  getState() {
    return this.#state;
  }

  setSaveDialogOptions(options) {
    this.#options = options;
  }

  getSaveDialogOptions() {
    return this.#options;
  }

  setSavePath(path) {
    this.#savePath = path;
  }

  getSavePath() {
    return this.#savePath;
  }

  /** A dialog waits for a person; the double takes the folder of ELECTRON_DOUBLE_SAVE_TO, and else cancels. */
  askForPath() {
    if (this.#savePath !== '') return true;
    const name = basename(this.#options.defaultPath ?? this.#filename);
    // Before the line: a test that has read it sets the folder of the next dialog, even while this function runs.
    const folder = process.env.ELECTRON_DOUBLE_SAVE_TO;
    console.error(`DIALOG Save ${name}`);
    if (folder === undefined) return false;
    this.#savePath = join(folder, name);
    return true;
  }

  end(state) {
    if (this.#state !== 'progressing') return;
    this.#state = state;
    this.emit('done', {}, state);
  }
}

/** Takes what Chromium downloads to the session of its page. `browser` is a debugger's session of the whole browser. */
exports.serveDownloads = async (browser, folder, contentsOf) => {
  mkdirSync(folder, { recursive: true });
  const items = new Map();
  const drop = (guid) => {
    items.delete(guid);
    browser.send('Browser.cancelDownload', { guid }).catch(() => {});
  };
  browser.on('Browser.downloadWillBegin', (begun) => {
    const contents = contentsOf(begun.frameId);
    const item = new DownloadItem(begun);
    const event = preventable({});
    contents?.session.emit('will-download', event, item, contents, contents.mainFrame);
    if (contents === undefined || event.defaultPrevented) return drop(begun.guid);
    if (item.askForPath()) return items.set(begun.guid, item);
    drop(begun.guid);
    item.end('cancelled');
  });
  browser.on('Browser.downloadProgress', ({ guid, state }) => {
    const item = items.get(guid);
    if (item === undefined || state === 'inProgress') return;
    items.delete(guid);
    item.end(state === 'completed' ? place(join(folder, guid), item.getSavePath()) : 'interrupted');
  });
  await browser.send('Browser.setDownloadBehavior', {
    behavior: 'allowAndName',
    downloadPath: folder,
    eventsEnabled: true,
  });
};

function place(from, to) {
  try {
    copyFileSync(from, to);
    rmSync(from, { force: true });
    return 'completed';
  } catch (error) {
    console.error(error);
    return 'interrupted';
  }
}
