const references: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** The size of a frame, in pixels. */
export interface FrameSize {
  readonly width: number
  readonly height: number
}

/** As large as a frame is unless the page that embeds it wants less. */
export const usualFrame: FrameSize = { width: 800, height: 480 }

/**
 * The markup that embeds a share in another page. The frame's scripts and workers need its own origin; the embedding
 * page has another one, so neither can access the other.
 */
export function embedFrame(pageUrl: string, title: string, { width, height } = usualFrame): string {
  const named = title
    .toWellFormed()
    .replaceAll('\u0000', '\ufffd')
    .replace(/[&<>"]/g, (character) => references[character] ?? '')
  return `<iframe src="${pageUrl}/embed" title="${named}" width="${width}" height="${height}" sandbox="allow-scripts allow-same-origin allow-popups allow-downloads" referrerpolicy="no-referrer" loading="lazy" style="border:0"></iframe>`
}
