import type { Message } from '../message.js'

/** Texts of the dashboard's snippets. */
export const snippets = {
  'snippets.search': 'Search title and tags',
} as const satisfies Readonly<Record<string, Message>>
