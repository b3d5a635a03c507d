import { expect, test } from 'vitest'
import { processName, readMappings } from './idle-processes.js'

test('a process is named after the folder of its script, regardless of node’s options', () => {
  expect(processName('/usr/bin/node\0--max-semi-space-size=2\0/x/dist/services/billing/main.js\0')).toBe(
    'billing',
  )
  expect(processName('/usr/bin/node\0deploy/launcher/start.mjs\0')).toBe('launcher')
  expect(processName('postgres: checkpointer \0')).toBe('postgres')
  expect(processName('/x/bin/postgres\0-D\0data\0')).toBe('postgres')
})

test('a mapping is identified by its file and offset, or by its address', () => {
  const block = (head: string): string =>
    `${head}\nSize: 8 kB\nRss:  8 kB\nPss:  5 kB\nShared_Clean:  4 kB\nShared_Dirty:  0 kB\nPrivate_Clean:  1 kB\nPrivate_Dirty:  3 kB\nVmFlags: rd\n`
  const [file, heap] = readMappings(
    block('7f00-7f08 r-xp 00001000 fe:00 42  /usr/bin/node') +
      block('7f10-7f18 rw-p 00000000 00:00 0  [heap]'),
  )
  expect(file).toEqual({ key: 'fe:00 42 00001000', sharedKb: 4, privateKb: 4, pssKb: 5, rssKb: 8 })
  expect(heap?.key).toBe('at 7f10')
})
