import { useMemo, useState } from 'react'
import { type Check, checkPath, snippetPath } from '#sdk/exports.js'
import { readableSize, text } from '../../../../texts/text.js'
import { useApi, useApiQuery } from '../../api/api-context.js'
import { checkKey } from '../../api/query-keys.js'
import { showToast } from '../../frame/toasts.js'
import { Button } from '../../kit/button.js'
import { Icon } from '../../kit/icon.js'
import { Loaded } from '../../kit/loaded.js'
import { LoadingState } from '../../kit/states.js'
import { Differences } from '../compare/shown-comparison.js'
import type { ShownContract } from '../snippets/contract-reads.js'
import { keyOf } from '../snippets/contract-rules.js'
import { useContract } from '../snippets/contract-section.js'
import { downloadData } from '../snippets/download-snippet.js'
import { SnippetData } from '../snippets/snippet-data.js'
import { isKept, markWords } from './check-words.js'
import { readKept } from './read-kept.js'

/** Larger candidates are compared when that is asked for. */
const comparedBytesMax = 10_000_000

/** The candidate, compared with its baseline as its contract finds items; by itself if there is none, or none any more. */
function Candidate({
  check,
  hasBaseline,
  contract,
}: {
  readonly check: Check
  readonly hasBaseline: boolean
  readonly contract: ShownContract | null
}) {
  const api = useApi()
  const { id, tool, title, size_bytes: sizeBytes, breaks, snippet_id: snippet, baseline_version } = check
  const sides = useMemo(() => {
    if (snippet === null || baseline_version === null || !hasBaseline) return null
    const headers = () => api.headers()
    return [
      { rawPath: `${snippetPath(snippet, baseline_version)}/raw`, headers, sizeBytes: 0 },
      { rawPath: `${checkPath(id)}/raw`, headers, sizeBytes },
    ] as const
  }, [api, id, sizeBytes, snippet, baseline_version, hasBaseline])
  if (sides === null)
    return (
      <>
        {baseline_version !== null && <p className="quiet">{text('check.baselineGone')}</p>}
        <SnippetData data={{ rawPath: `${checkPath(id)}/raw`, tool, title, sizeBytes }} />
      </>
    )
  const [a, b] = sides
  return (
    <>
      {breaks.length > 0 && <p className="quiet">{markWords(check)}</p>}
      <Differences a={a} b={b} breaks={breaks} usualKey={keyOf(contract?.rules, breaks)} />
    </>
  )
}

/** The same once the contract of the snippet is there, or certainly is not. */
function Judged({ check, hasBaseline }: { readonly check: Check; readonly hasBaseline: boolean }) {
  const { data: contract, isLoading } = useContract(check.snippet_id ?? '', check.snippet_id !== null)
  if (isLoading) return <LoadingState />
  return <Candidate check={check} hasBaseline={hasBaseline} contract={contract ?? null} />
}

/** What the candidate is, as far as it is still there. */
export function CheckComparison({ check }: { readonly check: Check }) {
  const api = useApi()
  const { id, size_bytes: size } = check
  const [isAsked, setAsked] = useState(size <= comparedBytesMax)
  const download = (): void => {
    downloadData(api.checks.raw(id), check).catch(() => showToast(text('snippets.downloadFailed')))
  }
  const mayBeThere = isKept(check)
  const kept = useApiQuery([...checkKey(id), 'kept'], (asked, options) => readKept(asked, check, options), {
    enabled: mayBeThere,
  })
  const isThere = mayBeThere && kept.data?.candidate !== false
  return (
    <section aria-labelledby="comparison">
      <div className="revisions-head">
        <h2 id="comparison">{text('check.comparison')}</h2>
        {isThere && (
          <Button size="small" onPress={download}>
            <Icon name="download" />
            {text('check.download')}
          </Button>
        )}
      </div>
      {!isThere && <p className="quiet">{text('check.notKept')}</p>}
      {isThere && !isAsked && (
        <>
          <p className="quiet">{text('check.large', { size: readableSize(size) })}</p>
          <Button onPress={() => setAsked(true)}>{text('compare.start')}</Button>
        </>
      )}
      {isThere && isAsked && (
        <Loaded query={kept}>{({ baseline }) => <Judged check={check} hasBaseline={baseline} />}</Loaded>
      )}
    </section>
  )
}
