import type { IncomingHttpHeaders } from 'node:http'
import {
  knownLanguage,
  languageCookie,
  languageVary,
  type PageLanguage,
  pageLanguageHeader,
  pageLanguages,
} from '#shared/core/page-language.js'
import { noStore, type PageResponse } from './pages/page.js'
import type { Site } from './site.js'

const yearSeconds = 31_536_000

/** The language in which the gateway wants a page. */
export function languageOf(headers: IncomingHttpHeaders): PageLanguage {
  return knownLanguage(headers[pageLanguageHeader]) ?? pageLanguages[0]
}

/** The headers of a page in a language, which depends on who asks. */
export function languageHeaders(
  language: PageLanguage,
  { Vary }: PageResponse['headers'],
): Readonly<Record<string, string>> {
  return {
    'Content-Language': language,
    Vary: Vary === undefined ? languageVary : `${Vary}, ${languageVary}`,
  }
}

/** The path of the page from which a language was chosen, on the host that is asked, whatever `Referer` says. */
function pathBack({ homeUrl }: Site, referer: string): string {
  if (!URL.canParse(referer)) return homeUrl
  const { pathname, search } = new URL(referer)
  // Two slashes at the beginning would lead to another host.
  return `/${pathname.replace(/^[/\\]+/, '')}${search}`
}

/** Keeps the language that a reader has chosen, and leads back to the page; `null` for one that we do not speak. */
export function languageResponse(site: Site, code: string, referer: string | undefined): PageResponse | null {
  const language = knownLanguage(code)
  if (language === null) return null
  const secure = site.publicBaseUrl.startsWith('https:') ? '; Secure' : ''
  const cookie = `${languageCookie}=${language}; Path=/; Max-Age=${yearSeconds}; HttpOnly; SameSite=Lax${secure}`
  const headers = { ...noStore, 'Set-Cookie': cookie, Location: pathBack(site, referer ?? '') }
  return { status: 303, body: Buffer.alloc(0), headers }
}
