import { type FieldError, validationFailed } from '#libs/core/domain-error.js'

const urlLengthMax = 2_048

function isWithin(text: string, origin: string): boolean {
  if (text.length > urlLengthMax || !URL.canParse(text)) return false
  const url = new URL(text)
  // The origin of a blob: URL is that of the URL inside it.
  if (!/^https?:$/.test(url.protocol)) return false
  return url.origin === origin && url.username === '' && url.password === ''
}

/** The return URLs after paying and after cancelling. */
export interface ReturnUrls {
  readonly successUrl: string
  readonly cancelUrl: string
}

/**
 * The return URLs of a payer: the requested ones, or pages of the web application.
 * @param webBaseUrl the web application's absolute URL without a trailing slash.
 * @throws DomainError `validation_failed` for a URL outside the web application's origin, which would be an open
 *   redirect.
 */
export function returnUrls(
  requested: { readonly successUrl: string | null; readonly cancelUrl: string | null },
  webBaseUrl: string,
): ReturnUrls {
  const { origin } = new URL(webBaseUrl)
  const errors: FieldError[] = []
  const check = (pointer: string, text: string | null, fallback: string): string => {
    if (text === null) return `${webBaseUrl}${fallback}`
    if (!isWithin(text, origin)) {
      errors.push({
        pointer,
        code: 'foreign_origin',
        detail: `${pointer.slice(1)} must be an absolute URL of at most ${urlLengthMax} characters under ${origin}.`,
      })
    }
    return text
  }
  const urls = {
    successUrl: check('/success_url', requested.successUrl, '/?checkout=success'),
    cancelUrl: check('/cancel_url', requested.cancelUrl, '/?checkout=cancel'),
  }
  if (errors.length > 0) throw validationFailed(errors)
  // Normalized, so that no other parser can see a different origin.
  return { successUrl: new URL(urls.successUrl).href, cancelUrl: new URL(urls.cancelUrl).href }
}
