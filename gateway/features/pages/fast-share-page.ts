import { type FastRoute, ownHeaders } from '../../http/fast-path.js'
import { isId } from '../../http/id-in-path.js'
import { type AdmitParts, admitToPage } from '../../pipeline/admit.js'
import type { SharePages } from './share-pages.js'

/** `GET /s/{id}`: a share page from the cache. The proxy serves what the cache cannot. */
export function fastSharePage(pages: SharePages, parts: AdmitParts): FastRoute {
  return {
    prefix: '/s/',
    route: 'web',
    read(id) {
      if (!isId(id)) return null
      return async (context) => {
        await admitToPage(parts, context)
        const page = await pages.read(id, context.requestId).catch(() => null)
        if (page === null) return false
        const { headers, body } = page.copy()
        const length = Buffer.byteLength(body)
        context.response.writeHead(page.status, [
          ...headers,
          ...ownHeaders(context),
          'Content-Length',
          length,
        ])
        context.response.end(body)
        return true
      }
    },
  }
}
