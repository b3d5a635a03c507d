const references: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** The markup that embeds a share in another page, as oEmbed gives it. */
export function embedCode(pageUrl: string, title: string): string {
  const named = title.toWellFormed().replace(/[&<>"]/g, (character) => references[character] ?? '')
  return `<iframe src="${pageUrl}/embed" title="${named}" width="800" height="480" sandbox="allow-scripts allow-same-origin allow-popups allow-downloads" referrerpolicy="no-referrer" loading="lazy" style="border:0"></iframe>`
}
