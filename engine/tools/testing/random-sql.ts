import type { Random } from '#libs/testing/random.js'

const names = ['id', 'Name', 't.price', '"a  b"', 'o.total_2']
const values = ['1', '12345678901234567890', '1.50', "'it''s  no'", "'x'", 'null', '-2', '0.5e3']
const tables = ['t', 'orders o', 'public.users u', '"Order  Items" i']

function expression(random: Random, depth: number): string {
  const kind = random.below(depth === 0 ? 2 : 7)
  if (kind === 0) return random.pick(names)
  if (kind === 1) return random.pick(values)
  const one = expression(random, depth - 1)
  if (kind === 2) return `(${one} ${random.pick(['+', '*', '/'])} ${expression(random, depth - 1)})`
  if (kind === 3) return `coalesce(${one},${expression(random, depth - 1)})`
  if (kind === 4)
    return `case when ${one} = ${random.pick(values)} then ${one} else ${random.pick(values)} end`
  if (kind === 5) return `count( distinct ${random.pick(names)} )`
  return `(${query(random, depth - 1)})`
}

function condition(random: Random, depth: number): string {
  const one = expression(random, depth)
  const kind = random.below(4)
  if (kind === 0) return `${one} ${random.pick(['=', '<>', '<=', '>'])} ${expression(random, depth)}`
  if (kind === 1) return `${one} in (${random.pick(values)}, ${random.pick(values)})`
  if (kind === 2) return `${one} between ${random.pick(values)} and ${random.pick(values)}`
  return `not exists (${query(random, 0)}) ${random.pick(['and', 'OR'])} ${one} is not null`
}

function query(random: Random, depth: number): string {
  const columns = Array.from({ length: 1 + random.below(3) }, () => expression(random, depth))
  const parts = [`select ${columns.join(random.pick([',', ' , ', ',\n']))}`, `from ${random.pick(tables)}`]
  if (random.below(3) === 0) parts.push(`left join ${random.pick(tables)} on ${condition(random, 0)}`)
  if (random.below(2) === 0) parts.push(`where ${condition(random, depth)}`)
  if (random.below(4) === 0) parts.push(`group by ${random.pick(names)} having ${condition(random, 0)}`)
  if (random.below(3) === 0) parts.push(`order by ${random.pick(names)} desc limit 10`)
  const comment = random.pick(['', '', ' /* why  */', ' -- to the end\n'])
  return parts.join(random.pick([' ', '\n', '\n\t'])) + comment
}

/** Statements as programs and people write them, in words that several dialects share. */
export function randomSql(random: Random): string {
  const statement = (): string => {
    const kind = random.below(5)
    if (kind === 0) return `insert into t(id,"a  b") values (${random.pick(values)},${random.pick(values)})`
    if (kind === 1) return `update t set id = ${expression(random, 1)} where ${condition(random, 1)}`
    if (kind === 2) return `delete from t where ${condition(random, 1)}`
    if (kind === 3) return `with w as (${query(random, 1)}) ${query(random, 1)}`
    return query(random, 2)
  }
  return Array.from({ length: 1 + random.below(2) }, () => `${statement()};`).join(random.pick([' ', '\n']))
}
