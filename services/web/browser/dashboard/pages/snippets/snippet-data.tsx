import { useEffect, useRef } from 'react'
import { text } from '../../../../texts/text.js'
import { loadViewer } from '../../../viewer/viewer-loader.js'
import { useApi } from '../../api/api-context.js'

/** Where the viewer finds data, and what it is. */
export interface ViewedData {
  readonly rawPath: string
  readonly tool: string
  readonly title: string
  readonly sizeBytes: number
}

/** The data of a snippet or of one of its versions, in the same viewer as shares. */
export function SnippetData({ data: { rawPath, tool, title, sizeBytes } }: { readonly data: ViewedData }) {
  const api = useApi()
  const host = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (host.current === null) return
    const source = { rawPath, headers: () => api.headers(), sizeBytes, tool, pageUrl: null }
    const viewer = loadViewer(host.current, source, { isPrinted: true })
    return () => viewer.close()
  }, [api, rawPath, tool, sizeBytes])
  return <section className="snippet-data" ref={host} aria-label={text('snippets.data', { title })} />
}
