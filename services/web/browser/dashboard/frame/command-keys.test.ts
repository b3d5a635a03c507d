import { expect, it } from 'vitest'
import { commandOf, noKeys, type PressedKeys } from './command-keys.js'

const commands = ['c', 's', 'g s', 'g h', '#'].map((keys) => ({ keys }))

/** The commands that these keys run, pressed at these times. */
function run(...presses: readonly (readonly [key: string, atMs: number])[]): readonly string[] {
  let before: PressedKeys = noKeys
  return presses.flatMap(([key, atMs]) => {
    const { command, pressed } = commandOf(commands, before, { key, atMs })
    before = pressed
    return command === null ? [] : [command.keys]
  })
}

it('one key runs its command, two keys theirs', () => {
  expect(run(['c', 0])).toEqual(['c'])
  expect(run(['g', 0], ['s', 900], ['s', 1_000])).toEqual(['g s', 's'])
  expect(run(['g', 0], ['h', 100], ['#', 200])).toEqual(['g h', '#'])
})

it('a second key that comes late, or fits nothing, is a key of its own', () => {
  expect(run(['g', 0], ['s', 1_501])).toEqual(['s'])
  expect(run(['g', 0], ['c', 100])).toEqual(['c'])
  expect(run(['g', 0], ['g', 100], ['s', 200])).toEqual(['g s'])
  expect(run(['q', 0], ['g', 100], ['q', 200])).toEqual([])
})

it('the first of several commands with the same keys runs', () => {
  const [ofPage, ofFrame] = [{ keys: '/' }, { keys: '/' }]
  expect(commandOf([ofPage, ofFrame], noKeys, { key: '/', atMs: 0 }).command).toBe(ofPage)
})
