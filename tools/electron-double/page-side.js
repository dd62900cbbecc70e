// Runs in the page before its own scripts, in place of Electron's preload context: there is NO isolation here,
// the preload shares the page's world. `__preload` is the text of the built preload.
(() => {
  if (window !== window.top) return;
  const binding = window.__electronDouble;
  const tell = (message) => void binding(JSON.stringify(message));
  const listeners = new Map();
  const ports = new Map();
  const forwarded = [];
  const replies = new Map();
  let calls = 0;
  // Before anything else of this document: the ports of the one before are gone. A change of the hash alone makes no
  // document and closes none.
  tell({ type: 'document' });

  const adoptPort = (id) => {
    const { port1, port2 } = new MessageChannel();
    ports.set(id, { near: port1, far: null });
    port1.onmessage = (event) => tell({ type: 'port-message', id, data: event.data });
    forwarded.push(id);
    return port2;
  };

  // Electron gives ports of the page a `close` event, which Chromium has not. The preload forwards each port
  // once and in order, so the object that the page gets is known here, before the page's own listeners run.
  window.addEventListener('message', (event) => {
    if (event.source !== window) return;
    for (const far of event.ports) {
      const id = forwarded.shift();
      const pair = ports.get(id);
      if (pair === undefined) continue;
      pair.far = far;
      far.close = () => {
        MessagePort.prototype.close.call(far);
        if (ports.delete(id)) tell({ type: 'port-close', id });
      };
    }
  });

  const closePort = (id) => {
    const pair = ports.get(id);
    ports.delete(id);
    pair?.near.close();
    // After the texts that are under way.
    setTimeout(() => pair?.far?.dispatchEvent(new Event('close')), 0);
  };

  window.__electronDoubleDeliver = (message) => {
    if (message.type === 'ipc') {
      const event = { ports: message.ports.map(adoptPort) };
      for (const listener of listeners.get(message.channel) ?? []) listener(event, ...message.args);
    } else if (message.type === 'port-message') ports.get(message.id)?.near.postMessage(message.data);
    else if (message.type === 'port-close') closePort(message.id);
    else if (message.type === 'reply') {
      const reply = replies.get(message.call);
      replies.delete(message.call);
      if (message.error === undefined) reply?.resolve(message.value);
      else reply?.reject(new Error(message.error));
    }
  };

  const ipcRenderer = {
    on: (channel, listener) => void listeners.set(channel, [...(listeners.get(channel) ?? []), listener]),
    send: (channel, ...args) => tell({ type: 'send', channel, args }),
    invoke: (channel, ...args) =>
      new Promise((resolve, reject) => {
        calls += 1;
        replies.set(calls, { resolve, reject });
        tell({ type: 'invoke', call: calls, channel, args });
      }),
  };

  // Electron copies values and proxies functions; here the copy is frozen so that a page cannot replace one.
  const contextBridge = {
    exposeInMainWorld: (name, api) =>
      Object.defineProperty(window, name, { value: Object.freeze({ ...api }), writable: false, configurable: false }),
  };

  const require = (name) => {
    if (name === 'electron') return { contextBridge, ipcRenderer };
    throw new Error(`A sandboxed preload cannot require ${JSON.stringify(name)}.`);
  };
  const module = { exports: {} };
  // Not `new Function`: the page's policy would forbid it. The preload's text is put in place of the inner comment.
  // biome-ignore lint/correctness/noUnusedFunctionParameters: the preload's text uses them
  ((require, module, exports) => {
    /*__PRELOAD__*/
  })(require, module, module.exports);
})();
