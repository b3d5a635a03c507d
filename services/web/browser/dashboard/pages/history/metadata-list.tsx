import { text } from '../../../../texts/text.js'
import { type MetadataFact, metadataFacts } from './metadata-facts.js'

const shownFirst = 4

function Pairs({ facts }: { facts: readonly MetadataFact[] }) {
  return (
    <dl className="pairs">
      {facts.map(({ name, words }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{words}</dd>
        </div>
      ))}
    </dl>
  )
}

/** The metadata of an entry, collapsed to the first few pairs. */
export function MetadataList({ metadata }: { metadata: Readonly<Record<string, unknown>> | null }) {
  const facts = metadataFacts(metadata)
  if (facts.length === 0) return null
  const rest = facts.slice(shownFirst)
  return (
    <div className="row-details">
      <Pairs facts={facts.slice(0, shownFirst)} />
      {rest.length > 0 && (
        <details>
          <summary>{text('history.more', { count: rest.length })}</summary>
          <Pairs facts={rest} />
        </details>
      )}
    </div>
  )
}
