import { sameScalar } from '../../compare/json/canonical-scalar.js'
import { quote, stringEnd } from '../../json-bytes/json-bytes.js'
import { compactJson } from '../json/rewrite-json.js'
import { ToolInputError } from '../tool-input-error.js'
import { byteChunks, GrowingBytes } from '../whole-input.js'
import { plainXmlAsJson } from './plain-xml-as-json.js'
import { isDocument, type JsonSurvey, surveyJson } from './survey-json.js'
import { JsonXmlWriter, type XmlStyle } from './write-xml.js'

/** Larger JSON always gets marks. */
const readBackBytesMax = 8 * 1_048_576

function whole(chunks: Iterable<Uint8Array>, bytesMax: number): Uint8Array {
  const bytes = new GrowingBytes()
  let length = 0
  for (const chunk of chunks) {
    length += chunk.length
    if (length > bytesMax)
      throw new ToolInputError('input_too_large', 'The XML is too large to be read back.')
    bytes.append(chunk)
  }
  return bytes.whole()
}

/** Whether two compact texts say the same, however their strings are spelled. */
function saysTheSame(one: Uint8Array, other: Uint8Array): boolean {
  let [at, otherAt] = [0, 0]
  while (at < one.length && otherAt < other.length) {
    if (one[at] !== other[otherAt]) return false
    if (one[at] !== quote) {
      at += 1
      otherAt += 1
      continue
    }
    const [end, otherEnd] = [stringEnd(one, at), stringEnd(other, otherAt)]
    if (!sameScalar(one, at, end, other, otherAt, otherEnd, false)) return false
    ;[at, otherAt] = [end, otherEnd]
  }
  return at === one.length && otherAt === other.length
}

/** XML without marks, if that is read back as the same JSON; else `null`. */
function plainXml(bytes: Uint8Array, survey: JsonSurvey, style: XmlStyle): Uint8Array | null {
  if (!survey.isPlain || bytes.length > readBackBytesMax || !isDocument(bytes, survey.prefixes, true))
    return null
  try {
    const xml = whole(
      new JsonXmlWriter(bytes, survey, { ...style, marks: false }).write(),
      4 * readBackBytesMax,
    )
    const back = plainXmlAsJson(new TextDecoder().decode(xml), {
      types: 'strings',
      comments: true,
      arrays: [],
      trim: false,
    })
    return saysTheSame(bytes, whole(back, 2 * readBackBytesMax)) ? xml : null
  } catch (error) {
    if (error instanceof ToolInputError) return null
    throw error
  }
}

/**
 * Writes JSON as XML. What XML became JSON gets no marks: whether this is such JSON is found by writing it without
 * them and reading that.
 */
export async function* convertJsonToXml(
  input: AsyncIterable<Uint8Array>,
  style: XmlStyle,
): AsyncGenerator<Uint8Array> {
  const bytes = await compactJson(input)
  const survey = surveyJson(bytes)
  const plain = style.marks ? plainXml(bytes, survey, style) : null
  if (plain !== null) yield* byteChunks(plain)
  else yield* new JsonXmlWriter(bytes, survey, style).write()
}
