import type { ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import { text } from '../../../texts/text.js'
import { useProfile } from '../api/api-context.js'
import { Icon } from '../kit/icon.js'
import { Menu, type MenuChoice } from '../kit/menu.js'
import {
  compareSection,
  historySection,
  isOpenAt,
  operatorSection,
  outsidePages,
  planSection,
  type Section,
  sectionGroups,
  sharesSection,
  snippetsSection,
} from './sections.js'

function SectionLink({
  section,
  look = 'nav-link',
  children,
}: {
  readonly section: Section
  readonly look?: string
  readonly children?: ReactNode
}) {
  const [path] = useLocation()
  return (
    <Link href={section.path} className={look} aria-current={isOpenAt(path, section) ? 'page' : undefined}>
      <Icon name={section.icon} />
      <span>{text(section.name)}</span>
      {children}
    </Link>
  )
}

/** A link to a page outside of the dashboard, which the router must not handle. */
function OutsideLink({ page: { path, icon, name } }: { readonly page: Section }) {
  return (
    <a href={path} className="nav-link">
      <Icon name={icon} />
      <span>{text(name)}</span>
    </a>
  )
}

/** The plan, with how much of it the snippets use. */
function PlanLink() {
  const profile = useProfile().data
  const used = profile?.usage.snippets ?? 0
  const limit = profile?.limits.snippets ?? null
  const share = limit === null ? 0 : Math.min(1, used / Math.max(1, limit))
  const tone = share >= 1 ? 'full' : share >= 0.8 ? 'near' : 'fine'
  return (
    <SectionLink section={planSection} look="nav-link nav-plan">
      {profile !== undefined && (
        <span className="nav-used">
          {limit === null ? text('frame.noLimit', { used }) : text('frame.usedOf', { used, limit })}
        </span>
      )}
      {limit !== null && (
        <span className="meter-track" aria-hidden="true">
          {used > 0 && (
            <span className={`meter-fill meter-${tone}`} style={{ inlineSize: `${share * 100}%` }} />
          )}
        </span>
      )}
    </SectionLink>
  )
}

function useIsOperator(): boolean {
  return useProfile().data?.operator === true
}

/** Links to all sections, beside the page. */
export function Rail() {
  const groups = useIsOperator() ? [...sectionGroups, [operatorSection]] : sectionGroups
  return (
    <nav className="nav" aria-label={text('frame.sections')}>
      <div className="nav-groups">
        {groups.map((group) => (
          <ul key={group[0]?.path}>
            {group.map((section) => (
              <li key={section.path}>
                <SectionLink section={section} />
              </li>
            ))}
          </ul>
        ))}
        <ul className="nav-end">
          <li>
            <PlanLink />
          </li>
          {outsidePages().map((page) => (
            <li key={page.path}>
              <OutsideLink page={page} />
            </li>
          ))}
          <li>
            <SectionLink section={compareSection} />
          </li>
        </ul>
      </div>
    </nav>
  )
}

function choiceOf({ path, name, icon }: Section): MenuChoice {
  return { id: path, label: text(name), icon, href: path }
}

function outsideChoiceOf({ path, name, icon }: Section): MenuChoice {
  return { id: path, label: text(name), icon, onAction: () => location.assign(path) }
}

/** The same below the page on narrow screens: the first sections, the tools, and a menu of all others. */
export function Tabs() {
  const [path] = useLocation()
  const isOperator = useIsOperator()
  const outside = outsidePages()
  const tools = outside.find(({ icon }) => icon === 'tools')
  const tabs = [snippetsSection, sharesSection, ...(tools === undefined ? [historySection] : [])]
  const all = [...sectionGroups.flat(), planSection, compareSection, ...(isOperator ? [operatorSection] : [])]
  const sections = all.filter((section) => !tabs.includes(section))
  const isInMenu = sections.some((section) => isOpenAt(path, section))
  return (
    <nav className="tabs" aria-label={text('frame.sections')}>
      {tabs.map((section) => (
        <SectionLink key={section.path} section={section} />
      ))}
      {tools !== undefined && <OutsideLink page={tools} />}
      <Menu
        label={text('frame.more')}
        look={isInMenu ? 'nav-link nav-here' : 'nav-link'}
        choices={[
          ...sections.map(choiceOf),
          ...outside.filter((page) => page !== tools).map(outsideChoiceOf),
        ]}
      >
        <Icon name="more" />
        <span>{text('frame.more')}</span>
      </Menu>
    </nav>
  )
}
