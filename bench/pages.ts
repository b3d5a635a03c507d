import type { Bench } from './bench.js'
import { measureSharePages } from './measure-share-pages.js'

const firstContentMsMax = 1_000
const taskMsMax = 200

/** The pages of shares of 50 MB in a browser: they show something at once and never freeze. */
export const pages: Bench = {
  name: 'pages',
  env: { LOG_LEVEL: 'warn' },
  async measure({ startSystem }) {
    const figures = await measureSharePages(await startSystem())
    return figures.map(({ share, firstContentMs, openedMs, loadingTaskMaxMs, scrollingTaskMaxMs }) => {
      const taskMaxMs = Math.max(loadingTaskMaxMs, scrollingTaskMaxMs)
      return {
        name: `the page of ${share}`,
        unit: 'ms to its first content',
        floor: null,
        measured: firstContentMs,
        ratio: null,
        goal: `≤ ${firstContentMsMax} ms, and no task over ${taskMsMax} ms`,
        holds: firstContentMs < firstContentMsMax && taskMaxMs <= taskMsMax,
        // Browsers do not tell of tasks below 50 ms, which are 0 here.
        details: {
          'views after ms': openedMs,
          'longest task while it loads ms': loadingTaskMaxMs,
          'longest task while it is scrolled ms': scrollingTaskMaxMs,
        },
      }
    })
  },
}
