// A small client of Firefox's Marionette protocol, the only access to an extension's own pages.
import net from 'node:net';

export class Marionette {
  static async connect(port) {
    const client = new Marionette();
    client.pending = new Map();
    client.next = 1;
    client.buffer = Buffer.alloc(0);
    client.socket = net.connect(port, '127.0.0.1');
    client.socket.on('data', (data) => client.read(data));
    client.socket.on('error', () => {});
    await new Promise((done, fail) => {
      client.socket.once('connect', done);
      client.socket.once('error', fail);
    });
    return client;
  }

  // Each message is its length in bytes, a colon, and JSON.
  read(data) {
    this.buffer = Buffer.concat([this.buffer, data]);
    for (;;) {
      const colon = this.buffer.indexOf(58);
      if (colon < 0) return;
      const length = Number(this.buffer.subarray(0, colon));
      if (this.buffer.length < colon + 1 + length) return;
      const message = JSON.parse(this.buffer.subarray(colon + 1, colon + 1 + length));
      this.buffer = this.buffer.subarray(colon + 1 + length);
      if (!Array.isArray(message)) continue;
      const [, id, error, result] = message;
      const waiting = this.pending.get(id);
      this.pending.delete(id);
      if (error) waiting?.fail(new Error(`${error.error}: ${error.message}`));
      else waiting?.done(result);
    }
  }

  send(name, parameters = {}) {
    const id = this.next++;
    const text = JSON.stringify([0, id, name, parameters]);
    this.socket.write(`${Buffer.byteLength(text)}:${text}`);
    return new Promise((done, fail) => {
      this.pending.set(id, { done, fail });
    });
  }

  async script(script, args = []) {
    return (await this.send('WebDriver:ExecuteScript', { script, args })).value;
  }

  /** Runs a script in the browser's own context. */
  async chrome(script, args = []) {
    await this.send('Marionette:SetContext', { value: 'chrome' });
    try {
      return await this.script(script, args);
    } finally {
      await this.send('Marionette:SetContext', { value: 'content' });
    }
  }

  /** Clicks the first matching element, as a user's mouse does. */
  async click(selector) {
    const { value } = await this.send('WebDriver:FindElement', { using: 'css selector', value: selector });
    await this.send('WebDriver:ElementClick', { id: Object.values(value)[0] });
  }

  close() {
    this.socket.destroy();
  }
}
