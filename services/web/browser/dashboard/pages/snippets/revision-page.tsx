import { useLocation, useParams } from 'wouter'
import { type Revision, snippetPath } from '#sdk/exports.js'
import { readableSize, text } from '../../../../texts/text.js'
import { useApiQuery } from '../../api/api-context.js'
import { revisionsKey } from '../../api/query-keys.js'
import { PageHeading } from '../../frame/page-heading.js'
import { Button } from '../../kit/button.js'
import { ButtonLink } from '../../kit/button-link.js'
import { Moment } from '../../kit/moment.js'
import { ProblemNotice } from '../../kit/problem-notice.js'
import { FoundPage } from './found-page.js'
import { makerWords, useRestore } from './revision-list.js'
import { SnippetData } from './snippet-data.js'

function OpenRevision({ id, revision }: { readonly id: string; readonly revision: Revision }) {
  const [, navigate] = useLocation()
  const restoring = useRestore(id, () => navigate(`/snippets/${id}`))
  const { version, current, title, tool, tags, size_bytes: size, created_at: at } = revision
  const facts = (
    <div className="row-facts">
      <span className="badge">{text('revisions.version', { version: String(version) })}</span>
      <span className="badge">{tool}</span>
      <span>{readableSize(size)}</span>
      <Moment at={at} />
      <span>{makerWords(revision)}</span>
      {tags.map((tag) => (
        <span key={tag} className="tag">
          {tag}
        </span>
      ))}
    </div>
  )
  return (
    <>
      <PageHeading title={title} about={facts}>
        {!current && (
          <ButtonLink href={`/compare?${new URLSearchParams({ a: `${id}@${version}`, b: id })}`}>
            {text('compare.withCurrent')}
          </ButtonLink>
        )}
        {!current && (
          <Button variant="primary" isPending={restoring.isPending} onPress={() => restoring.mutate(version)}>
            {text('revisions.restore')}
          </Button>
        )}
      </PageHeading>
      {restoring.error !== null && <ProblemNotice error={restoring.error} />}
      <SnippetData data={{ rawPath: `${snippetPath(id, version)}/raw`, tool, title, sizeBytes: size }} />
    </>
  )
}

/** The page at `/dashboard/snippets/{id}/versions/{version}`. */
export function RevisionPage() {
  const { id = '', version = '' } = useParams()
  const query = useApiQuery([...revisionsKey(id), version], (api, options) =>
    api.snippets.revision(id, Number(version), { includeData: false, ...options }),
  )
  const back = { href: `/snippets/${id}`, name: text('revisions.back') }
  const gone = { title: text('revisions.goneTitle'), about: text('revisions.gone') }
  return (
    <FoundPage query={query} back={back} gone={gone}>
      {(revision) => <OpenRevision key={`${id} ${version}`} id={id} revision={revision} />}
    </FoundPage>
  )
}
