import { useMemo, useState } from 'react'
import { type Check, checkPath, snippetPath } from '#sdk/exports.js'
import { readableSize, text } from '../../../../texts/text.js'
import { useApi } from '../../api/api-context.js'
import { showToast } from '../../frame/toasts.js'
import { Button } from '../../kit/button.js'
import { Icon } from '../../kit/icon.js'
import { LoadingState } from '../../kit/states.js'
import { Differences } from '../compare/shown-comparison.js'
import { keyOf } from '../snippets/contract-rules.js'
import { type ShownContract, useContract } from '../snippets/contract-section.js'
import { downloadData } from '../snippets/download-snippet.js'
import { SnippetData } from '../snippets/snippet-data.js'
import { isKept } from './check-words.js'

/** Larger candidates are compared when that is asked for. */
const comparedBytesMax = 10_000_000

/** The candidate, compared with its baseline as its contract finds items; by itself if there is none. */
function Candidate({ check, contract }: { readonly check: Check; readonly contract: ShownContract | null }) {
  const api = useApi()
  const { id, tool, title, size_bytes: sizeBytes, breaks, snippet_id: snippet, baseline_version } = check
  const sides = useMemo(() => {
    if (snippet === null || baseline_version === null) return null
    const headers = () => api.headers()
    return [
      { rawPath: `${snippetPath(snippet, baseline_version)}/raw`, headers, sizeBytes: 0 },
      { rawPath: `${checkPath(id)}/raw`, headers, sizeBytes },
    ] as const
  }, [api, id, sizeBytes, snippet, baseline_version])
  if (sides === null)
    return <SnippetData data={{ rawPath: `${checkPath(id)}/raw`, tool, title, sizeBytes }} />
  const [a, b] = sides
  return (
    <>
      {breaks.length > 0 && <p className="quiet">{text('check.marked', { word: text('compare.breaks') })}</p>}
      <Differences a={a} b={b} breaks={breaks} usualKey={keyOf(contract?.rules, breaks)} />
    </>
  )
}

/** The same once the contract of the snippet is there, or certainly is not. */
function Judged({ check }: { readonly check: Check }) {
  const { data: contract, isPending } = useContract(check.snippet_id ?? '', check.snippet_id !== null)
  if (isPending && check.snippet_id !== null) return <LoadingState />
  return <Candidate check={check} contract={contract ?? null} />
}

/** What the candidate is, as far as it is still there. */
export function CheckComparison({ check }: { readonly check: Check }) {
  const api = useApi()
  const { id, size_bytes: size } = check
  const [isAsked, setAsked] = useState(size <= comparedBytesMax)
  const download = (): void => {
    downloadData(api.checks.raw(id), check).catch(() => showToast(text('snippets.downloadFailed')))
  }
  const isThere = isKept(check)
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
      {isThere && isAsked && <Judged check={check} />}
    </section>
  )
}
