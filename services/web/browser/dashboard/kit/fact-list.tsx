import type { ReactNode } from 'react'
import { type TextName, text } from '../../../texts/text.js'

/** Names with what belongs to each; those of `null` are left out. */
export function Pairs({
  look = 'pairs',
  facts,
}: {
  /** Its class. */
  readonly look?: string
  readonly facts: readonly (readonly [name: string, fact: ReactNode])[]
}) {
  return (
    <dl className={look}>
      {facts.map(([name, fact]) =>
        fact === null ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{fact}</dd>
          </div>
        ),
      )}
    </dl>
  )
}

/** Facts by the names of their labels; those that are `null` are left out. */
export function FactList({
  label,
  facts,
  children,
}: {
  readonly label: string
  readonly facts: Readonly<Partial<Record<TextName, ReactNode>>>
  readonly children?: ReactNode
}) {
  const names = Object.keys(facts) as TextName[]
  return (
    <section className="panel" aria-label={label}>
      <Pairs look="pairs pairs-wide" facts={names.map((name) => [text(name), facts[name]])} />
      {children}
    </section>
  )
}
