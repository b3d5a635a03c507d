/** What a thread runs, and the options of Node for it. */
export interface WorkerEntry {
  readonly url: URL
  readonly execArgv: readonly string[]
  /** How much longer than its work a thread may take because it has to be loaded, in milliseconds. */
  readonly loadingMs: number
}

/**
 * The thread whose code is next to this module: `name.js`. Tests run the sources, for which a thread needs the
 * loader of `testing/name-from-source.mjs`.
 */
export function workerEntry(moduleUrl: string, name: string): WorkerEntry {
  return moduleUrl.endsWith('.ts')
    ? {
        url: new URL(`./testing/${name}-from-source.mjs`, moduleUrl),
        execArgv: ['--conditions=snipkeep-source'],
        loadingMs: 30_000,
      }
    : { url: new URL(`./${name}.js`, moduleUrl), execArgv: [], loadingMs: 0 }
}
