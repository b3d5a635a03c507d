import { type ReactNode, useState } from 'react'
import { Link, useParams } from 'wouter'
import type { Check } from '#sdk/exports.js'
import { readableSize, text } from '../../../../texts/text.js'
import { useApiQuery } from '../../api/api-context.js'
import { checkKey } from '../../api/query-keys.js'
import { PageHeading } from '../../frame/page-heading.js'
import { FactList } from '../../kit/fact-list.js'
import { Icon } from '../../kit/icon.js'
import { Moment } from '../../kit/moment.js'
import { FoundPage } from '../snippets/found-page.js'
import { makerWords } from '../snippets/revision-list.js'
import { CheckBreaks } from './check-breaks.js'
import { CheckComparison } from './check-comparison.js'
import { CheckDecision, type Conflict, ConflictNotice } from './check-decision.js'
import { countWords, jobLink, stateWord, verdictWords } from './check-words.js'

/** The verdict, what it rests on, and what has become of the candidate. */
function Verdict({ check }: { readonly check: Check }) {
  const { verdict, tool, size_bytes: size } = check
  return (
    <div className="row-facts">
      <span className="verdict" data-verdict={verdict}>
        <Icon name={verdict === 'breaks' ? 'warning' : verdict === 'new' ? 'plus' : 'check'} />
        {verdictWords(check)}
      </span>
      {countWords(check).map((words) => (
        <span key={words}>{words}</span>
      ))}
      <span className="badge">{stateWord(check)}</span>
      <span className="badge">{tool}</span>
      <span>{readableSize(size)}</span>
    </div>
  )
}

function Job({ source }: { readonly source: string }) {
  const link = jobLink(source)
  return link === null ? (
    source
  ) : (
    <a href={link.href} target="_blank" rel="noopener noreferrer">
      {link.name}
    </a>
  )
}

/** A version of the snippet, with its page. */
function Version({
  check: { snippet_id: id },
  version,
}: {
  readonly check: Check
  readonly version: number
}) {
  const name = text('revisions.version', { version: String(version) })
  return id === null ? name : <Link href={`/snippets/${id}/versions/${version}`}>{name}</Link>
}

/** Who and when, on one line. */
function Act({ at, by }: { readonly at: string; readonly by: Check['principal'] }): ReactNode {
  return (
    <>
      <Moment at={at} /> {makerWords({ principal: by })}
    </>
  )
}

function Facts({ check }: { readonly check: Check }) {
  const { created_at, principal, source, baseline_version, version, state, expires_at } = check
  const { decided_at, decided_by, note } = check
  return (
    <FactList
      label={text('check.facts')}
      facts={{
        'check.sent': <Act at={created_at} by={principal} />,
        'check.job': source && <Job source={source} />,
        'check.baseline': baseline_version && <Version check={check} version={baseline_version} />,
        'check.decided': decided_at && <Act at={decided_at} by={decided_by} />,
        'check.note': note,
        'check.became': version && <Version check={check} version={version} />,
        'snippets.expires': state === 'pending' ? <Moment at={expires_at} /> : null,
      }}
    />
  )
}

function OpenCheck({ check }: { readonly check: Check }) {
  const [conflict, setConflict] = useState<Conflict | null>(null)
  return (
    <>
      <PageHeading title={check.title} about={<Verdict check={check} />}>
        {check.state === 'pending' && <CheckDecision check={check} onConflict={setConflict} />}
      </PageHeading>
      {conflict !== null && <ConflictNotice conflict={conflict} check={check} />}
      <div className="check-parts">
        <Facts check={check} />
        {check.breaks.length > 0 && <CheckBreaks check={check} />}
        <CheckComparison check={check} />
      </div>
    </>
  )
}

/** The page at `/dashboard/checks/{id}`, to which `/checks/{id}` leads. */
export function CheckPage() {
  const { id = '' } = useParams()
  const query = useApiQuery(checkKey(id), (api, options) => api.checks.get(id, options))
  const snippet = query.data?.snippet_id ?? null
  const back =
    snippet === null
      ? { href: '/snippets', name: text('snippets.back') }
      : { href: `/snippets/${snippet}`, name: text('check.back') }
  const gone = { title: text('check.goneTitle'), about: text('check.gone') }
  return (
    <FoundPage query={query} back={back} gone={gone}>
      {(check) => <OpenCheck key={id} check={check} />}
    </FoundPage>
  )
}
