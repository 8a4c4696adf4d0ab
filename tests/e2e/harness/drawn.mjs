// The time from an output to its card.

/** The notebook's cell that runs out of the GPU's memory. */
export const OOM = 'kW8sJd3hLr6o';

/**
 * Puts an error into a cell and measures, in the page, from its drawing until its card shows `part`; resolution about
 * 4 ms. `way`: in the page, in a frame made for it, or in a frame that is there.
 */
export async function untilCard(page, error, way, cellId = OOM, part = 'section[data-id]') {
  return page.evaluate(
    async (id, text, how, wanted) => {
      const cell = document.getElementById(`cell-${id}`);
      const shown = () => cell.querySelector('[data-nbmedic-card]')?.shadowRoot?.querySelector(wanted);
      const { replica } = window;
      if (how === 'open') await replica.framed(id, [{ stream: 'step 0: fine\n' }]);
      let start = Date.now();
      const drawn = how === 'inline' ? replica.error(id, text) : replica.framed(id, [{ error: text }]);
      while (!shown()) {
        if (Date.now() - start > 15_000) throw new Error('no card within 15 s');
        await new Promise((done) => {
          setTimeout(done, 2);
        });
      }
      const end = Date.now();
      await drawn;
      if (how !== 'inline') start = replica.frameOf(id).drawn();
      return end - start;
    },
    cellId,
    error,
    way,
    part,
  );
}

/** The error that the notebook's cell about memory ends with. */
export const memoryError = (page) =>
  page.evaluate((id) => window.replica.notebooks.tiles.cells.find((cell) => cell.id === id).steps.at(-1).error, OOM);
