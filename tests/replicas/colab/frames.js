// Outputs in frames of their own origin, as Colab shows tables, figures and text that is printed with them.
import { h } from './dom.js';

const SANDBOX =
  'allow-downloads allow-forms allow-pointer-lock allow-popups allow-popups-to-escape-sandbox allow-same-origin allow-scripts allow-storage-access-by-user-activation';
const ALLOW =
  'accelerometer; autoplay; camera; gyroscope; magnetometer; microphone; serial; usb; xr-spatial-tracking; clipboard-write';
const random = () => Math.random().toString(36).slice(2, 12).padEnd(10, 'a');

/** @type {Frame[]} */
const frames = [];

/** One frame among a cell's outputs. A reload makes it forget everything; the page then sends it again. */
class Frame {
  constructor(output, { page = 'outputframe.html', lazy = false, restored = false } = {}) {
    this.commands = restored ? [{ replica: 'restored' }] : [];
    this.waiting = new Map();
    this.next = 1;
    this.heard = 0;
    /** When the frame last drew something, by the clock that pages and frames share. */
    this.drawn = 0;
    this.iframe = h('iframe', {
      sandbox: SANDBOX,
      allow: ALLOW,
      loading: lazy ? 'lazy' : null,
      frameborder: '0',
      style: 'width:100%;border:0',
      src: `https://${random()}-496ff2e9c6d22116-0-colab.googleusercontent.com/${page}?vrz=replica`,
    });
    this.view = h('div', { class: 'outputview', style: 'height:40px' }, h('colab-dom-lifecycle-events'), this.iframe);
    output.slot.append(h('div', {}, this.view));
    output.framed = this;
    output.items.push({ kind: 'frame', text: '' });
    output.show();
    frames.push(this);
  }

  tell(message) {
    return new Promise((done) => {
      const id = this.next++;
      this.waiting.set(id, done);
      this.commands.push({ ...message, id });
      if (this.ready) this.iframe.contentWindow.postMessage({ ...message, id }, '*');
    });
  }

  hear({ replica, id, height, heard, drawn }) {
    if (replica === 'ready') {
      this.ready = true;
      for (const message of this.commands) this.iframe.contentWindow.postMessage(message, '*');
    } else if (replica === 'height') {
      this.view.style.height = this.iframe.style.height = `${Math.min(1000, Math.max(40, height))}px`;
    } else if (replica === 'done') {
      this.heard = heard;
      this.drawn = drawn;
      this.waiting.get(id)?.();
      this.waiting.delete(id);
    }
  }
}

window.addEventListener('message', ({ data, source }) => {
  if (typeof data?.replica === 'string') frames.find(({ iframe }) => iframe.contentWindow === source)?.hear(data);
});

/** Applies `steps` to the frame of a cell's output, which is created if there is none. */
export async function framed(output, steps, options = {}) {
  const frame = output.framed?.iframe.isConnected ? output.framed : new Frame(output, options);
  for (const step of steps) {
    if ('stream' in step) await frame.tell({ replica: 'stream', text: step.stream, mode: step.mode ?? 'edit' });
    else if ('error' in step) await frame.tell({ replica: 'add', kind: 'error', text: step.error });
    else if ('result' in step) await frame.tell({ replica: 'add', kind: 'result', text: step.result });
    else await frame.tell({ replica: Object.keys(step)[0], ...Object.values(step)[0] });
  }
}

/** For tests: the frame of an output. */
export const frameOf = (output) => ({
  reload() {
    const { iframe } = output.framed;
    output.framed.ready = false;
    iframe.src = iframe.src.replace(/vrz=\w+/, `vrz=${random()}`);
  },
  remove() {
    output.framed.view.parentElement.remove();
  },
  heard: () => output.framed.heard,
  drawn: () => output.framed.drawn,
});
