import type { Message } from '../message.js'

/** Texts of the dashboard's history, and of what lists of several sections have. */
export const history = {
  'history.list': 'Your history',
  'history.keptLast': 'Your plan keeps the last {limit}; {used} are kept now.',
  'history.keptAll': {
    one: 'Your plan keeps all: {count} entry.',
    other: 'Your plan keeps all: {count} entries.',
  },
  'history.clear': 'Clear all',
  'history.clearTool': 'Clear {tool}',
  'history.clearTitle': 'Clear your history?',
  'history.clearAll': 'Every entry goes, of all tools. This cannot be undone.',
  'history.clearOne': 'Every entry of {tool} goes; those of other tools stay. This cannot be undone.',
  'history.cleared': { one: '{count} entry is deleted.', other: '{count} entries are deleted.' },
  'history.untitled': 'Untitled',
  'history.delete': 'Delete {title}',
  'history.deleted': 'The entry is deleted.',
  'history.deleteFailed': 'The entry could not be deleted, so it is shown again.',
  'history.more': { one: '{count} more detail', other: '{count} more details' },
  'history.none': 'Nothing has been recorded yet',
  'history.noneAbout': 'Tools that work with Snipkeep record here what you do with them.',
  'history.noneOf': 'Nothing of {tool} is kept',
  'history.noneOfAbout': 'The name of a tool is compared exactly, with small and capital letters.',
  'filter.tool': 'Tool',
  'filter.allTools': 'All tools',
  'expiry.expires': 'Expires {when}',
  'expiry.hasExpired': 'Expired {when}',
  'expiry.never': 'Never expires',
} as const satisfies Readonly<Record<string, Message>>
