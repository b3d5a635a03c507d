import { useEffect, useEffectEvent, useRef } from 'react'
import { useSearchParams } from 'wouter'
import { text } from '../../../../texts/text.js'
import type { ListedBreak } from '../../../compare/broken-changes.js'
import { isAnyChosen, parseOptions, withOptions } from '../../../compare/compare-options.js'
import { loadComparison } from '../../../compare/load-comparison.js'
import type { ComparedSide } from '../../../compare/open-comparison.js'
import { optionsForm } from '../../../compare/options-form.js'
import { useApiQuery } from '../../api/api-context.js'
import { ProblemNotice } from '../../kit/problem-notice.js'
import { LoadingState } from '../../kit/states.js'
import { findSide } from './find-side.js'

/** One side: something of ours by name, or what stays in the browser. */
export type ChosenSide = string | Blob

interface Side {
  readonly title: string
  readonly source: ComparedSide
}

/** A side as soon as it is found; what stays in the browser is there at once. */
function useSide(chosen: ChosenSide) {
  const isLocal = chosen instanceof Blob
  const found = useApiQuery<Side>(
    ['compared', isLocal ? null : chosen],
    (api, { signal }) => findSide(api, String(chosen), signal),
    { enabled: !isLocal, retry: false },
  )
  if (!isLocal) return found
  const title = chosen instanceof File ? chosen.name : text('compare.pastedText')
  return { data: { title, source: chosen }, error: null, refetch: found.refetch }
}

const noBreaks: readonly ListedBreak[] = []

/**
 * How two sides differ, with the options of a comparison; changes that are `breaks` are marked. Without a chosen key
 * items are found by `usualKey`.
 */
export function Differences({
  a,
  b,
  breaks = noBreaks,
  usualKey = '',
}: {
  readonly a: ComparedSide
  readonly b: ComparedSide
  readonly breaks?: readonly ListedBreak[]
  readonly usualKey?: string
}) {
  const host = useRef<HTMLDivElement>(null)
  const form = useRef<HTMLDivElement>(null)
  const [search, setSearch] = useSearchParams()
  const asked = parseOptions(search)
  const chosen = withOptions(new URLSearchParams(), { ...asked, key: asked.key || usualKey }).toString()
  const changeOptions = useEffectEvent((options: ReturnType<typeof parseOptions>) => {
    setSearch(withOptions(search, options), { replace: true })
  })
  useEffect(() => {
    if (host.current === null || form.current === null) return
    const options = parseOptions(new URLSearchParams(chosen))
    const made = optionsForm(options, (changed) => changeOptions(changed))
    if (options.key === usualKey) made.open = isAnyChosen({ ...options, key: '' })
    form.current.replaceChildren(made)
    const open = loadComparison(host.current, [a, b], options, breaks)
    return () => open.close()
  }, [a, b, breaks, chosen, usualKey])
  return (
    <>
      <div ref={form} />
      <section className="snippet-data" ref={host} aria-label={text('compare.result')} />
    </>
  )
}

/** How two sides differ, once both are found. */
export function ShownComparison({ a, b }: { readonly a: ChosenSide; readonly b: ChosenSide }) {
  const [before, after] = [useSide(a), useSide(b)]
  const failed = [before, after].filter(({ error }) => error !== null)
  if (failed.length > 0)
    return failed.map(
      ({ error, refetch }, place) =>
        error !== null && (
          // biome-ignore lint/suspicious/noArrayIndexKey: the two sides have no other name
          <ProblemNotice key={place} error={error} onRetry={() => void refetch()} />
        ),
    )
  if (before.data === undefined || after.data === undefined) return <LoadingState />
  return (
    <>
      <p className="row-facts">
        <span>{text('compare.sideTitle', { side: text('compare.before'), title: before.data.title })}</span>
        <span>{text('compare.sideTitle', { side: text('compare.after'), title: after.data.title })}</span>
      </p>
      <Differences a={before.data.source} b={after.data.source} />
    </>
  )
}
