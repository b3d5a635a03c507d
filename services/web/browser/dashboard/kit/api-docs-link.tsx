import { text } from '../../../texts/text.js'

/** The link to the API documentation, a page outside the dashboard, which the router must not handle. */
export function ApiDocsLink() {
  return (
    <a className="press press-secondary press-normal" href="/api/docs">
      <span className="press-content">{text('frame.apiDocs')}</span>
    </a>
  )
}
