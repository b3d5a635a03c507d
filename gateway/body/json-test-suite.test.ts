import { describe, expect, it } from 'vitest'
import { cutAnywhere, cutAt, cutEvery } from '#libs/testing/cut.js'
import { seededRandom } from '#libs/testing/random.js'
import { type SuiteFile, suiteFiles, suiteIsThere } from './testing/json-test-suite.js'
import { acceptedByPlatform, scanDocument, scanEnvelope } from './testing/verdicts.js'

const badEncoding = 'its bytes are not UTF-8, and data must come back as sent, so nothing may be replaced'
const byteOrderMark =
  'it begins with a byte order mark or is UTF-16, and JSON on a network has neither (RFC 8259, 8.1)'
const anyNumber = 'the grammar has no limit to numbers, and their spelling is kept'
const loneSurrogate = 'the escape of half a pair is in the grammar, and is kept as an escape'

/** The outcome of each file that a parser may accept or reject, and the reason. */
const free: Readonly<Record<string, readonly ['accepted' | 'refused', string]>> = {
  'i_number_double_huge_neg_exp.json': ['accepted', anyNumber],
  'i_number_huge_exp.json': ['accepted', anyNumber],
  'i_number_neg_int_huge_exp.json': ['accepted', anyNumber],
  'i_number_pos_double_huge_exp.json': ['accepted', anyNumber],
  'i_number_real_neg_overflow.json': ['accepted', anyNumber],
  'i_number_real_pos_overflow.json': ['accepted', anyNumber],
  'i_number_real_underflow.json': ['accepted', anyNumber],
  'i_number_too_big_neg_int.json': ['accepted', anyNumber],
  'i_number_too_big_pos_int.json': ['accepted', anyNumber],
  'i_number_very_big_negative_int.json': ['accepted', anyNumber],
  'i_object_key_lone_2nd_surrogate.json': ['accepted', loneSurrogate],
  'i_string_1st_surrogate_but_2nd_missing.json': ['accepted', loneSurrogate],
  'i_string_1st_valid_surrogate_2nd_invalid.json': ['accepted', loneSurrogate],
  'i_string_incomplete_surrogate_and_escape_valid.json': ['accepted', loneSurrogate],
  'i_string_incomplete_surrogate_pair.json': ['accepted', loneSurrogate],
  'i_string_incomplete_surrogates_escape_valid.json': ['accepted', loneSurrogate],
  'i_string_invalid_lonely_surrogate.json': ['accepted', loneSurrogate],
  'i_string_invalid_surrogate.json': ['accepted', loneSurrogate],
  'i_string_inverted_surrogates_U+1D11E.json': ['accepted', loneSurrogate],
  'i_string_lone_second_surrogate.json': ['accepted', loneSurrogate],
  'i_structure_500_nested_arrays.json': ['accepted', 'it is nested less than 512 deep'],
  'i_string_UTF-16LE_with_BOM.json': ['refused', byteOrderMark],
  'i_string_utf16BE_no_BOM.json': ['refused', byteOrderMark],
  'i_string_utf16LE_no_BOM.json': ['refused', byteOrderMark],
  'i_structure_UTF-8_BOM_empty_object.json': ['refused', byteOrderMark],
  'i_string_UTF-8_invalid_sequence.json': ['refused', badEncoding],
  'i_string_UTF8_surrogate_U+D800.json': ['refused', badEncoding],
  'i_string_invalid_utf-8.json': ['refused', badEncoding],
  'i_string_iso_latin_1.json': ['refused', badEncoding],
  'i_string_lone_utf8_continuation_byte.json': ['refused', badEncoding],
  'i_string_not_in_unicode_range.json': ['refused', badEncoding],
  'i_string_overlong_sequence_2_bytes.json': ['refused', badEncoding],
  'i_string_overlong_sequence_6_bytes.json': ['refused', badEncoding],
  'i_string_overlong_sequence_6_bytes_null.json': ['refused', badEncoding],
  'i_string_truncated-utf-8.json': ['refused', badEncoding],
}

/** The bytes whole, byte by byte, split in two at every position, and in random pieces; long files in fewer ways. */
function cuts(bytes: Buffer): Buffer[][] {
  const random = seededRandom(bytes.length)
  const positions = bytes.length < 1_000 ? bytes.length : 40
  return [
    [bytes],
    cutEvery(bytes, 1),
    ...Array.from({ length: positions }, (_, index) => cutAt(bytes, index)),
    ...Array.from({ length: 20 }, () => cutAnywhere(bytes, random)),
  ]
}

function documentIsAccepted(bytes: Buffer): boolean {
  const verdicts = new Set(cuts(bytes).map((chunks) => scanDocument(chunks) === 'complete'))
  expect([...verdicts]).toHaveLength(1)
  return verdicts.has(true)
}

const before = Buffer.from('{"tool":"csv","data":{"v":')
const after = Buffer.from('},"title":"t"}')

/** Scans the file as a value in `data`, which must be passed through byte for byte if it is accepted. */
function isPassedThrough({ bytes }: SuiteFile): boolean {
  const data = Buffer.concat([Buffer.from('{"v":'), bytes, Buffer.from('}')])
  const outcomes = cuts(Buffer.concat([before, bytes, after])).map((chunks) => scanEnvelope(chunks))
  const verdicts = new Set(outcomes.map(({ refused }) => refused === null))
  expect([...verdicts]).toHaveLength(1)
  for (const { refused, data: passed, envelope } of outcomes) {
    if (refused !== null) expect(refused.code).toBe('malformed_json')
    else {
      expect(passed.equals(data)).toBe(true)
      expect({ ...envelope?.fields }).toEqual({ tool: 'csv', title: 't' })
    }
  }
  return verdicts.has(true)
}

const missing = suiteIsThere ? '' : ' (skipped: the corpus is not here; npm run corpora fetches it)'

describe.skipIf(!suiteIsThere)(`JSONTestSuite${missing}`, () => {
  it('has all of its files', () => {
    const counts = (['n_', 'y_', 'i_'] as const).map((prefix) => suiteFiles(prefix).length)
    expect(counts).toEqual([188, 95, 35])
    expect(Object.keys(free)).toHaveLength(35)
  })

  it('has 188 malformed documents, all rejected, however they are chunked', () => {
    expect(suiteFiles('n_').filter(({ bytes }) => documentIsAccepted(bytes))).toEqual([])
  })

  it('has none of them accepted in data', () => {
    const accepted = suiteFiles('n_').filter(isPassedThrough)
    expect(accepted).toEqual([])
  })

  it('has 95 valid documents, all accepted', () => {
    expect(suiteFiles('y_').filter(({ bytes }) => !documentIsAccepted(bytes))).toEqual([])
  })

  it('has them passed through byte for byte in data', () => {
    expect(suiteFiles('y_').filter((file) => !isPassedThrough(file))).toEqual([])
  })

  it('has 35 optional ones, treated as the table says, and as the platform does', () => {
    for (const file of suiteFiles('i_')) {
      const [verdict, reason] = free[file.name] ?? ['missing', '']
      expect([file.name, documentIsAccepted(file.bytes)], reason).toEqual([file.name, verdict === 'accepted'])
      expect([file.name, isPassedThrough(file)], reason).toEqual([file.name, verdict === 'accepted'])
      expect([file.name, acceptedByPlatform(file.bytes)]).toEqual([file.name, verdict === 'accepted'])
    }
  })
})
