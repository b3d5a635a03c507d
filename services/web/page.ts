import { type Html, html, inlineText } from './html.js'
import { styleSheetPath } from './style-sheet.js'

/** A page with what stands around its content. */
export function page(title: string, description: string, content: Html): Buffer {
  const { markup } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex">
<title>${inlineText(title)}</title>
<meta property="og:type" content="website">
<meta property="og:site_name" content="Snipkeep">
<meta property="og:title" content="${inlineText(title)}">
<meta property="og:description" content="${inlineText(description)}">
<link rel="stylesheet" href="${styleSheetPath}">
</head>
<body>
<div class="page">
<header><a class="brand" href="/">Snipkeep</a></header>
<main>
${content}
</main>
</div>
</body>
</html>
`
  return Buffer.from(markup)
}
