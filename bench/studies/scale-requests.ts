import { randomUUID } from 'node:crypto'
import {
  commonTag,
  commonTool,
  dataBytes,
  oldTag,
  rareTag,
  rareTool,
  teamTag,
  vocabulary,
} from '../seed/seed-plan.js'
import { pageRows, type SeededPlaces, type SeededRequest, snippetPage } from '../seed/seeded-calls.js'

const data = { text: 'x'.repeat(dataBytes - 11) }
const newSnippet = (): unknown => ({ tool: 'bench', title: `Bench ${randomUUID()}`, tags: ['bench'], data })
const newEntry = (): unknown => ({ tool: 'bench', action: 'measured', title: 'Bench' })

const newest = ['snippet_newest']
/** An id finds its row with or without its owner. */
const byId = { snippet: ['snippet_pkey', 'snippet_id'], entry: ['entry_pkey', 'entry_id'] }
const terms = ['snippet_newest', 'snippet_terms', ...byId.snippet]
const shares = ['share_newest_unpurged']

function snippetLists({ middle, rows }: SeededPlaces): readonly SeededRequest[] {
  const list = (name: string, query: string, items: number, indexes: readonly string[], rowsMax: number) => {
    const path = `/api/snippets${query === '' ? '' : `?${query}`}`
    return { name, by: 'many' as const, path, status: 200, items, indexes, rowsMax }
  }
  const found = (every: number): number => Math.min(20, Math.floor(rows / every))
  const [often = '', seldom = ''] = [vocabulary[0], vocabulary.at(-1)]
  return [
    snippetPage,
    { ...snippetPage, name: 'page of the owner with a thousand', by: 'few' },
    list('page in the middle', `cursor=${middle.snippets}`, 20, newest, pageRows),
    list('page without data', 'include_data=false', 20, newest, pageRows),
    list('by a tool of three in ten', `tool=${commonTool}`, 20, ['snippet_newest_of_tool'], pageRows),
    list(
      'by a tool of one in 20,000',
      `tool=${rareTool.name}`,
      found(rareTool.every),
      ['snippet_newest_of_tool'],
      pageRows,
    ),
    list('by a tool that is not there', 'tool=nobodys', 0, ['snippet_newest_of_tool'], 0),
    list('by a tag of one in five', `tag=${commonTag}`, 20, terms, 5_000),
    list('by a tag of one in a thousand', `tag=${teamTag(7)}`, 20, terms, 30_000),
    list('by a tag of one in 100,000', `tag=${rareTag.name}`, found(rareTag.every), terms, 30_000),
    list('by a tag that only the oldest tenth has', `tag=${oldTag.name}`, 20, terms, 60_000),
    list('by a tag that is not there', 'tag=nobodys', 0, terms, 5_000),
    list('by two tags', `tag=${commonTag}&tag=${teamTag(7)}`, 20, terms, 30_000),
    list('by a common word', `q=${often}`, 20, terms, 5_000),
    list('by a rare word', `q=${seldom}`, 20, terms, 30_000),
    list('by two words', `q=${often}+${seldom}`, 20, terms, 30_000),
    list('by a word that is not there', 'q=nobodys', 0, terms, 5_000),
  ]
}

/** The requests that must be as fast in a large database as in a small one. */
export function scaleRequests(places: SeededPlaces): readonly SeededRequest[] {
  const { middle } = places
  const [snippet = ''] = places.snippets
  const many = { by: 'many', status: 200 } as const
  const ofTool = ['entry_newest_of_tool']
  return [
    ...snippetLists(places),
    { ...many, name: 'snippet', path: `/api/snippets/${snippet}`, indexes: byId.snippet, rowsMax: 1 },
    { ...many, name: 'shares', path: '/api/shares', items: 20, indexes: shares, rowsMax: 100 },
    {
      ...many,
      name: 'shares in the middle',
      path: `/api/shares?cursor=${middle.shares}`,
      items: 20,
      indexes: shares,
      rowsMax: 100,
    },
    {
      ...many,
      name: 'shares of any age',
      path: '/api/shares?state=all',
      items: 20,
      indexes: ['share_newest'],
      rowsMax: pageRows,
    },
    {
      ...many,
      name: 'shares of a tool',
      path: `/api/shares?tool=${commonTool}`,
      items: 20,
      indexes: ['share_newest_of_tool'],
      rowsMax: 100,
    },
    {
      ...many,
      name: 'shares that have expired',
      path: '/api/shares?state=expired',
      items: 20,
      indexes: ['share_newest_purged', 'share_unpurged_of_owner', 'share_unpurged'],
      rowsMax: 100,
    },
    {
      by: 'anyone',
      name: 'public share',
      path: `/api/shares/${places.share}`,
      status: 200,
      indexes: ['share_pkey'],
      rowsMax: 1,
    },
    {
      ...many,
      name: 'history',
      path: '/api/history',
      items: 20,
      indexes: ['entry_newest'],
      rowsMax: pageRows,
    },
    {
      ...many,
      name: 'history in the middle',
      path: `/api/history?cursor=${middle.entries}`,
      items: 20,
      indexes: ['entry_newest'],
      rowsMax: pageRows,
    },
    {
      ...many,
      name: 'history of a rare tool',
      path: `/api/history?tool=${rareTool.name}`,
      items: Math.min(20, Math.floor((places.rows * 2.5) / rareTool.every)),
      indexes: ofTool,
      rowsMax: pageRows,
    },
    {
      ...many,
      name: 'history of a common tool',
      path: `/api/history?tool=${commonTool}`,
      items: 20,
      indexes: ofTool,
      rowsMax: pageRows,
    },
    {
      ...many,
      name: 'history entry',
      path: `/api/history/${places.entry}`,
      indexes: byId.entry,
      rowsMax: 1,
    },
    ...writes,
  ]
}

const writes: readonly SeededRequest[] = [
  {
    name: 'create',
    by: 'many',
    method: 'POST',
    path: '/api/snippets',
    body: newSnippet,
    status: 201,
    indexes: [],
    rowsMax: 0,
  },
  {
    name: 'create of the owner with a thousand',
    by: 'few',
    method: 'POST',
    path: '/api/snippets',
    body: newSnippet,
    status: 201,
    indexes: [],
    rowsMax: 0,
  },
  {
    name: 'history entry recorded',
    by: 'many',
    method: 'POST',
    path: '/api/history',
    body: newEntry,
    status: 201,
    indexes: [],
    rowsMax: 0,
  },
]
