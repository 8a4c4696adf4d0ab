// Renders a program's terminal output as a page, to take a picture of it.

const COLOURS = ['#2e3440', '#f0717a', '#8fd694', '#f2c66d', '#7db8f5', '#c9a4f5', '#6fd3d6', '#e6e9ed'];
const escaped = (text) => text.replace(/[&<>]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[c]);

/** The style after a list of SGR numbers, based on the previous one. @param {{colour?: string, bold?: boolean, dim?: boolean, under?: boolean}} style @param {number[]} numbers */
function styled(style, numbers) {
  const next = { ...style };
  for (let i = 0; i < numbers.length; i += 1) {
    const n = numbers[i];
    if (n === 0) for (const key of Object.keys(next)) delete next[key];
    else if (n === 1) next.bold = true;
    else if (n === 2) next.dim = true;
    else if (n === 4) next.under = true;
    else if (n === 22) next.bold = next.dim = false;
    else if (n === 24) next.under = false;
    else if (n === 39) delete next.colour;
    else if (n >= 30 && n <= 37) next.colour = COLOURS[n - 30];
    else if (n >= 90 && n <= 97) next.colour = COLOURS[n - 90];
    else if (n === 38) {
      if (numbers[i + 1] === 5) next.colour = COLOURS[numbers[i + 2] % 8];
      if (numbers[i + 1] === 2) next.colour = `rgb(${numbers.slice(i + 2, i + 5).join(' ')})`;
      i += numbers[i + 1] === 2 ? 4 : 2;
    }
  }
  return next;
}

/** @param {string} command @param {string} output with control codes */
export function terminal(command, output) {
  let style = {};
  const parts = output
    .replace(/\r\n/g, '\n')
    .replace(/^.*\r(?!\n)/gm, '')
    .split(/\x1b\[([0-9;?]*)([A-Za-z])/);
  let html = '';
  for (let i = 0; i < parts.length; i += 3) {
    const css = [
      style.colour && `color:${style.colour}`,
      style.bold && 'font-weight:700',
      style.dim && 'opacity:.65',
      style.under && 'text-decoration:underline',
    ]
      .filter(Boolean)
      .join(';');
    html += css ? `<span style="${css}">${escaped(parts[i])}</span>` : escaped(parts[i]);
    if (parts[i + 2] === 'm') style = styled(style, (parts[i + 1] || '0').split(';').map(Number));
  }
  return `<!doctype html><html lang="en"><meta charset="utf-8"><style>
body { margin: 0; background: #fff; }
.window { display: inline-block; background: #16191d; color: #e6e9ed; border-radius: 10px; padding: 14px 20px 18px; min-width: 760px; }
pre { margin: 0; font: 13.5px/1.5 "DejaVu Sans Mono", "Liberation Mono", monospace; }
.bar { display: flex; gap: 7px; margin-bottom: 12px; }
.bar i { width: 11px; height: 11px; border-radius: 50%; background: #3a4048; }
b { color: #8fd694; }
</style><body><div class="window"><div class="bar"><i></i><i></i><i></i></div><pre><b>$</b> ${escaped(command)}\n${html}</pre></div></body></html>`;
}
