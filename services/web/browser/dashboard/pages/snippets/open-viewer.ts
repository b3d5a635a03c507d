import type { Viewer, ViewerSource } from '../../../viewer/viewer.js'

/** Shows the data as text alone, until the viewer of the share page takes its place. */
export function openViewer(host: HTMLElement, source: ViewerSource): Viewer {
  const stop = new AbortController()
  const lines = document.createElement('pre')
  lines.className = 'data'
  lines.tabIndex = 0
  host.append(lines)
  const load = async (): Promise<void> => {
    const answer = await fetch(source.rawPath, { headers: await source.headers(), signal: stop.signal })
    lines.textContent = (await answer.text()).slice(0, 100_000)
  }
  load().catch(() => undefined)
  return {
    goTo: async () => false,
    close: () => {
      stop.abort()
      host.replaceChildren()
    },
  }
}
