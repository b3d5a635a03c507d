import type { IncomingMessage } from 'node:http'
import { DomainError } from '#libs/core/domain-error.js'
import { html } from '#libs/html/html.js'
import type { PageLanguage } from '#shared/core/page-language.js'
import { plainPage, plainPageHeaders } from '#shared/plain-page.js'
import type { Problem } from '../request/problem.js'

/** Whether a browser asks for a page, and not a program for a response of the API. */
export function wantsPage({ method, url = '', headers: { accept = '' } }: IncomingMessage): boolean {
  const isRead = method === 'GET' || method === 'HEAD'
  return isRead && /\btext\/html\b/i.test(accept) && !/^\/(api|mcp|healthz|readyz)([/?]|$)/.test(url)
}

interface BusyWords {
  readonly title: string
  about(seconds: number): string
}

const words: Readonly<Record<PageLanguage, BusyWords>> = {
  en: {
    title: 'Many people here are opening pages right now',
    about: (seconds) =>
      `Your network has sent more requests than this server takes in a minute. This page reloads by itself in ${seconds === 1 ? 'one second' : `${seconds} seconds`}.`,
  },
  // Translated by a machine, like the texts of the pages.
  de: {
    title: 'Hier öffnen gerade viele Menschen Seiten',
    about: (seconds) =>
      `Aus diesem Netz kamen mehr Anfragen, als dieser Server in einer Minute annimmt. Die Seite lädt in ${seconds === 1 ? 'einer Sekunde' : `${seconds} Sekunden`} von selbst neu.`,
  },
  ja: {
    title: 'ただいまアクセスが集中しています',
    about: (seconds) =>
      `このネットワークから、1 分間にサーバーが受け付けられる数を超えるリクエストがありました。このページは ${seconds} 秒後に自動的に再読み込みされます。`,
  },
}

/**
 * The same refusal as a page that says when it works again and reloads itself. `null` for any other error.
 * @param homeUrl the front page as seen from every host.
 */
export function busyPage(
  error: unknown,
  problem: Problem,
  language: PageLanguage,
  homeUrl: string,
): Problem | null {
  if (!(error instanceof DomainError) || error.kind !== 'rate-limited') return null
  const seconds = Math.max(1, Number(error.details.retry_after ?? 1))
  const { title, about } = words[language]
  const text = html`<p>${about(seconds)}</p>`
  const headers = {
    ...problem.headers,
    ...plainPageHeaders("'none'"),
    'Content-Language': language,
    Refresh: String(seconds),
  }
  return {
    ...problem,
    headers,
    body: plainPage(title, { homeUrl }, text, language),
  }
}
