import type { Messages } from '../message.js'

/** Texts of the guides around the guides themselves. */
export const guides = {
  'docs.title': 'Docs',
  'docs.pageTitle': '{title} – guides',
  'docs.indexTitle': 'Guides to the API, the CLI and CI',
  'docs.description': '{summary} A guide of Snipkeep, the open-source backend for tools that format data.',
  'docs.about':
    'Guides to saving, sharing and converting with Snipkeep: the API, the command line, CI, tools, and a server of your own.',
  'docs.missing': 'There is no guide at this address. Search for it, or choose one of these.',
  'docs.search': 'Search the guides',
  'docs.found': { one: '{count} heading for “{asked}”', other: '{count} headings for “{asked}”' },
  'docs.none': 'No heading has a word of “{asked}”. Try another word, or choose a guide.',
  'docs.contents': 'On this page',
  'docs.guides': 'All guides',
  'docs.api': 'API reference',
  'docs.apiAbout': 'Every operation with its parameters, responses and an example in curl.',
} as const satisfies Messages
