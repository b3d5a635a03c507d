import { useEffect, useRef } from 'react'
import { text } from '../../../../texts/text.js'
import { loadViewer } from '../../../viewer/viewer-loader.js'
import { useApi } from '../../api/api-context.js'
import { type Snippet, snippetRawPath } from '../../api/snippets.js'

/** The data of a snippet, in the same viewer as shares. */
export function SnippetData({ snippet: { id, tool, title, size_bytes } }: { snippet: Snippet }) {
  const api = useApi()
  const host = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (host.current === null) return
    const viewer = loadViewer(host.current, {
      rawPath: snippetRawPath(id),
      headers: api.credentials,
      sizeBytes: size_bytes,
      tool,
      pageUrl: null,
    })
    return () => viewer.close()
  }, [api, id, tool, size_bytes])
  return <section className="snippet-data" ref={host} aria-label={text('snippets.data', { title })} />
}
