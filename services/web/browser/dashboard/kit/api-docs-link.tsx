import { text } from '../../../texts/text.js'

/** A link to the API documentation, which is outside the dashboard: the router must not handle it. */
export function ApiDocsLink() {
  return (
    <a className="press press-secondary press-normal" href="/api/docs">
      <span className="press-content">{text('frame.apiDocs')}</span>
    </a>
  )
}
