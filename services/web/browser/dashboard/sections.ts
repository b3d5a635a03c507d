import type { TextName } from '../../texts/text.js'
import type { IconName } from './kit/icon.js'

/** A section in the navigation. */
export interface Section {
  readonly path: string
  readonly name: TextName
  readonly icon: IconName
}

/** In the order shown. */
export const sections: readonly Section[] = [
  { path: '/snippets', name: 'frame.snippets', icon: 'snippets' },
  { path: '/shares', name: 'frame.shares', icon: 'shares' },
  { path: '/history', name: 'frame.history', icon: 'history' },
  { path: '/keys', name: 'frame.keys', icon: 'keys' },
  { path: '/ci', name: 'frame.ci', icon: 'ci' },
  { path: '/events', name: 'frame.events', icon: 'events' },
  { path: '/plan', name: 'frame.plan', icon: 'plan' },
  { path: '/profile', name: 'frame.profile', icon: 'profile' },
]

/** Shown to operators only, after the others. */
export const operatorSection: Section = { path: '/operator', name: 'frame.operator', icon: 'operator' }
