import { Link, useLocation } from 'wouter'
import { text } from '../../../texts/text.js'
import { useProfile } from '../api/api-context.js'
import { Icon } from '../kit/icon.js'
import { operatorSection, sections } from '../sections.js'

/** Links to all sections: beside the page, or below it on narrow screens. */
export function Navigation() {
  const [path] = useLocation()
  const isOperator = useProfile().data?.operator === true
  const shown = isOperator ? [...sections, operatorSection] : sections
  return (
    <nav className="nav" aria-label={text('frame.sections')}>
      <ul>
        {shown.map(({ path: section, name, icon }) => {
          const isHere = path === section || path.startsWith(`${section}/`)
          return (
            <li key={section}>
              <Link href={section} className="nav-link" aria-current={isHere ? 'page' : undefined}>
                <Icon name={icon} />
                <span>{text(name)}</span>
              </Link>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}
