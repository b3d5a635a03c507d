import { text } from '../../../texts/text.js'

const namedMax = 3

/** Some titles in a row, the first of many. */
export function namesOf(titles: readonly string[]): string {
  const named = titles.slice(0, namedMax).map((title) => text('kit.quoted', { title }))
  const more = titles.length - named.length
  return more > 0 ? text('kit.andMore', { names: named.join(', '), count: more }) : named.join(', ')
}
