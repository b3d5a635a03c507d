import type { ReactNode } from 'react'
import { type TextName, text } from '../../../texts/text.js'

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
      <dl className="pairs pairs-wide">
        {names.map((name) =>
          facts[name] === null ? null : (
            <div key={name}>
              <dt>{text(name)}</dt>
              <dd>{facts[name]}</dd>
            </div>
          ),
        )}
      </dl>
      {children}
    </section>
  )
}
