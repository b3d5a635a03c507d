import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { errors, type Provider } from 'oidc-provider'
import { isUserName } from './development-user.js'
import { noticePage, pageHeaders, signInPage } from './issuer-page.js'

/** The path of the sign-in page for one attempt. */
export function signInPath(uid: string): string {
  return `/sign-in/${uid}`
}

const formBytesMax = 4_096

/** The name in a submitted form; `null` if the body is larger than any valid form. */
async function nameIn(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > formBytesMax) return null
    chunks.push(chunk)
  }
  return new URLSearchParams(Buffer.concat(chunks).toString()).get('login') ?? ''
}

/**
 * Serves the issuer and its sign-in pages.
 * @param application the origin to which people return.
 */
export function issuerListener(provider: Provider, application: string): RequestListener {
  const issue = provider.callback()
  const send = (response: ServerResponse, status: number, page: string): void => {
    response.writeHead(status, pageHeaders(application))
    response.end(page)
  }
  const sendGone = (response: ServerResponse): void =>
    send(
      response,
      400,
      noticePage(
        'Sign-in has ended',
        'It took too long, or was finished elsewhere. Start again.',
        application,
      ),
    )

  async function serveSignIn(request: IncomingMessage, response: ServerResponse): Promise<void> {
    await provider.interactionDetails(request, response)
    if (request.method !== 'POST') return send(response, 200, signInPage(null))
    const name = await nameIn(request)
    if (name === null || !isUserName(name)) return send(response, 400, signInPage(name ?? ''))
    await provider.interactionFinished(request, response, { login: { accountId: name } })
  }

  return (request, response) => {
    if (!request.url?.startsWith(signInPath(''))) return void issue(request, response)
    serveSignIn(request, response).catch((error: unknown) => {
      if (error instanceof errors.OIDCProviderError) return sendGone(response)
      provider.emit('server_error', undefined, error)
      response.destroy()
    })
  }
}
