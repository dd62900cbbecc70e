// MessageChannelMain: two ports in this process, of which one may move into a page.
const { EventEmitter } = require('node:events');

let lastId = 0;

class MessagePortMain extends EventEmitter {
  #peer = null;
  #home = null;
  #started = false;
  #closed = false;
  #waiting = [];

  static pair() {
    const [port1, port2] = [new MessagePortMain(), new MessagePortMain()];
    port1.#peer = port2;
    port2.#peer = port1;
    return { port1, port2 };
  }

  postMessage(data) {
    if (this.#closed || this.#peer.#closed) return;
    const copy = structuredClone(data);
    if (this.#peer.#home !== null) this.#peer.#home.deliver({ type: 'port-message', id: this.#peer.id, data: copy });
    else setImmediate(() => this.#peer.receive(copy));
  }

  /** From the other side. */
  receive(data) {
    if (this.#closed) return;
    if (this.#started) this.emit('message', { data, ports: [] });
    else this.#waiting.push(data);
  }

  start() {
    this.#started = true;
    for (const data of this.#waiting.splice(0)) this.emit('message', { data, ports: [] });
  }

  close() {
    if (this.#closed) return;
    this.#closed = true;
    if (this.#peer.#home !== null) this.#peer.#home.deliver({ type: 'port-close', id: this.#peer.id });
    setImmediate(() => this.#peer.closed());
    setImmediate(() => this.emit('close'));
  }

  /** The other side closed. */
  closed() {
    if (this.#closed) return;
    this.#closed = true;
    this.emit('close');
  }

  /** Moves this port into a page, which calls `fromPage` with what it posts. */
  transfer(home) {
    if (this.#home !== null || this.#started) throw new Error('Port at index 0 is already neutered.');
    lastId += 1;
    this.id = lastId;
    this.#home = home;
    return this;
  }

  fromPage(data) {
    this.#peer.receive(data);
  }

  closedByPage() {
    this.#closed = true;
    this.#peer.closed();
  }
}

exports.MessagePortMain = MessagePortMain;
exports.MessageChannelMain = class MessageChannelMain {
  constructor() {
    Object.assign(this, MessagePortMain.pair());
  }
};
