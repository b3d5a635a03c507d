import { expect, it } from 'vitest'
import { archiveIncomplete, archiveInvalid, notAnnounced } from './archive-format.js'

it.each([
  [['manifest.json'], '1 file is missing: manifest.json.'],
  [[], '1 file is missing: manifest.json.'],
  [['a.json', 'manifest.json'], '2 files are missing, among them a.json.'],
])('an archive without %s says so', (missing, what) => {
  expect(archiveIncomplete(missing).message).toBe(`The archive is incomplete: ${what} Download it again.`)
})

it('an archive that was changed says what to do', () => {
  expect(archiveInvalid('a.json', 'appears twice.').message).toBe(
    'In the archive, a.json appears twice. Send the export unmodified.',
  )
  expect(notAnnounced('a.json')).toMatchObject({
    message: 'The list before a.json in the archive does not mention it. Send the export unmodified.',
    details: { path: 'a.json' },
  })
})
