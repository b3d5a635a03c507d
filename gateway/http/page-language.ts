import type { IncomingMessage } from 'node:http'
import { cookieOf } from '#libs/core/cookie.js'
import { languageCookie, type PageLanguage, pageLanguageOf } from '#shared/core/page-language.js'

/** The language of the page for a request. */
export function languageOf({ headers }: Pick<IncomingMessage, 'headers'>): PageLanguage {
  return pageLanguageOf(cookieOf(headers.cookie, languageCookie), headers['accept-language'])
}
