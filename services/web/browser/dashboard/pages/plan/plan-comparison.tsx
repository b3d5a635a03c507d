import { text } from '../../../../texts/text.js'
import { limitRows } from '../../../plans/format-plan.js'
import type { Plan, PlanName } from '../../../plans/plan.js'

/** The plans side by side. */
export function PlanComparison({
  plans,
  current,
}: {
  readonly plans: readonly Plan[]
  readonly current: PlanName
}) {
  return (
    <section className="panel" aria-labelledby="comparison">
      <h2 id="comparison">{text('plan.compare')}</h2>
      <table className="figures plans">
        <thead>
          <tr>
            <th scope="col">{text('plan.limit')}</th>
            {plans.map(({ id, name }) => (
              <th scope="col" key={id} aria-current={id === current}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {limitRows.map(({ name, words }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {plans.map(({ id, limits }) => (
                <td key={id}>{words(limits)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
