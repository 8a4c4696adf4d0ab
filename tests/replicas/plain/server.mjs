// A minimal notebook page on plain http: two cells in JupyterLab's elements, and the same page again in a
// sandboxed frame that has no clipboard. A real JupyterLab is tested elsewhere; this page tests the address.
import http from 'node:http';

const ERROR = `---------------------------------------------------------------------------
NameError                                 Traceback (most recent call last)
Cell In[1], line 1
----> 1 prnt("hello")

NameError: name 'prnt' is not defined`;

const cell = (
  prompt,
  source,
  output,
) => `<div class="jp-Cell jp-CodeCell"><div class="jp-InputArea-prompt">${prompt}</div><div class="cm-content"><div class="cm-line">${source}</div></div>
<div class="jp-Cell-outputWrapper"><div class="jp-Cell-outputArea">${output}</div></div></div>`;
const notebook = `<div class="jp-NotebookPanel" id="nb"><div class="jp-Notebook">${cell(
  '[1]:',
  'prnt("hello")',
  `<div class="jp-OutputArea-output jp-RenderedText" data-mime-type="application/vnd.jupyter.stderr"><pre>${ERROR}</pre></div>`,
)}</div></div>`;
const page = (body) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Plain</title><style>body { font: 14px sans-serif } pre { font-size: 12px }</style></head><body data-jp-theme-light="true">${body}</body></html>`;

/** Serves the page at `/`, and at `/framed` a page that contains it in a sandboxed frame. Returns `{ port, close }`. */
export async function startPlain() {
  const server = http.createServer((request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    if (request.url === '/') response.end(page(notebook));
    else if (request.url === '/framed')
      response.end(
        page(
          '<iframe src="/" sandbox="allow-scripts" allow="clipboard-write \'none\'" width="900" height="700"></iframe>',
        ),
      );
    else response.writeHead(404).end();
  });
  await new Promise((done) => {
    server.listen(0, '127.0.0.1', done);
  });
  return { port: server.address().port, close: () => server.close() };
}
