import { expect, test } from 'vitest'
import { oomKills } from './confined.js'

test('the killed are counted in the files of both versions of cgroups', () => {
  expect(oomKills('low 0\nhigh 0\nmax 812\noom 3\noom_kill 2\noom_group_kill 0\n')).toBe(2)
  expect(oomKills('oom_kill_disable 0\nunder_oom 0\noom_kill 1\n')).toBe(1)
})

test('a kernel that does not count them has killed none', () => {
  expect(oomKills('oom_kill_disable 0\nunder_oom 0\n')).toBe(0)
})
