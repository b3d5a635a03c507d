import type { IncomingMessage } from 'node:http'
import { DomainError } from '#libs/core/domain-error.js'
import { html } from '#libs/html/html.js'
import { plainPage, plainPageHeaders } from '#libs/html/plain-page.js'
import type { Problem } from '../request/problem.js'

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
  const text = html`<p>Your network has sent more requests than this server takes in a minute. This page reloads by itself in ${wait}.</p>`
  const headers = { ...problem.headers, ...plainPageHeaders("'none'"), Refresh: String(seconds) }
  return {
    ...problem,
    headers,
    body: plainPage('Many people here are opening pages right now', 'Snipkeep', text),
  }
}
