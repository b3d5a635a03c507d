import type { TextName } from '../../../texts/text.js'
import type { IconName } from '../kit/icon.js'

/** A section in the navigation. */
export interface Section {
  readonly path: string
  readonly name: TextName
  readonly icon: IconName
  /** The keys that open it. */
  readonly keys?: string
}

export const snippetsSection: Section = {
  path: '/snippets',
  name: 'frame.snippets',
  icon: 'snippets',
  keys: 'g s',
}
export const sharesSection: Section = { path: '/shares', name: 'frame.shares', icon: 'shares' }
export const historySection: Section = {
  path: '/history',
  name: 'frame.history',
  icon: 'history',
  keys: 'g h',
}

/** What is kept, and who may use it: in the order shown. */
export const sectionGroups: readonly (readonly Section[])[] = [
  [snippetsSection, sharesSection, historySection],
  [
    { path: '/keys', name: 'frame.keys', icon: 'keys', keys: 'g k' },
    { path: '/ci', name: 'frame.ci', icon: 'ci' },
    { path: '/events', name: 'frame.events', icon: 'events' },
  ],
]

export const planSection: Section = { path: '/plan', name: 'frame.plan', icon: 'plan' }
export const compareSection: Section = { path: '/compare', name: 'compare.title', icon: 'compare' }
export const profileSection: Section = { path: '/profile', name: 'frame.profile', icon: 'profile' }

/** Shown to operators only, after the others. */
export const operatorSection: Section = { path: '/operator', name: 'frame.operator', icon: 'operator' }

/** Whether this page, or one below it, is open at this path. */
export function isOpenAt(path: string, { path: section }: Section): boolean {
  return path === section || path.startsWith(`${section}/`)
}

/** Whether this server has tools, and with them contracts: it says so where it renders the dashboard. */
export function hasTools(): boolean {
  return document.getElementById('dashboard')?.dataset.tools === 'on'
}

/** Pages of this server outside the dashboard; the tools only where it has them. */
export function outsidePages(): readonly (Section & { readonly path: `/${string}` })[] {
  const docs = { path: '/docs', name: 'docs.title', icon: 'docs' } as const
  const tools = { path: '/tools', name: 'tools.title', icon: 'tools', keys: 'g t' } as const
  return hasTools() ? [docs, tools] : [docs]
}
