import type { ReactNode } from 'react'

/** A few things worth knowing of a record, in one line that wraps. */
export function Facts({ facts }: { facts: Readonly<Record<string, ReactNode>> }) {
  return (
    <ul className="row-facts">
      {Object.entries(facts).map(([name, fact]) => (
        <li key={name}>{fact}</li>
      ))}
    </ul>
  )
}
