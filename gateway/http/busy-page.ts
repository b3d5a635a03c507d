import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { DomainError } from '#libs/core/domain-error.js'
import type { Problem } from '../request/problem.js'

const style =
  ':root{color-scheme:light dark}body{font:1rem/1.5 system-ui,sans-serif;max-width:34rem;margin:18vh auto 0;padding:0 1.25rem}h1{font-size:1.4rem;line-height:1.3;margin:0 0 .75rem}p{margin:0 0 1rem}'
/** Without the sandbox of problems, which would keep the page from reloading itself. */
function policy(): string {
  const styleHash = createHash('sha256').update(style).digest('base64')
  return `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
}

/** Whether a browser asks for a page, and not a program for a response of the API. */
export function wantsPage({ method, url = '', headers: { accept = '' } }: IncomingMessage): boolean {
  const isRead = method === 'GET' || method === 'HEAD'
  return isRead && /\btext\/html\b/i.test(accept) && !/^\/(api|mcp|healthz|readyz)([/?]|$)/.test(url)
}

/** The same refusal as a page that says when it works again and reloads itself. `null` for any other error. */
export function busyPage(error: unknown, problem: Problem): Problem | null {
  if (!(error instanceof DomainError) || error.kind !== 'rate-limited') return null
  const seconds = Math.max(1, Number(error.details.retry_after ?? 1))
  const wait = seconds === 1 ? 'one second' : `${seconds} seconds`
  const body = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Too many requests · Snipkeep</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>Many people here are opening pages right now</h1>
<p>Your network has sent more requests than this server takes in a minute. This page reloads by itself in ${wait}.</p>
</main>
</body>
</html>
`
  return {
    ...problem,
    headers: {
      ...problem.headers,
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy(),
      Refresh: String(seconds),
    },
    body,
  }
}
