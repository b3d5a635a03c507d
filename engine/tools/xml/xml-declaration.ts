/** What is wrong, and where. */
interface Mistake {
  readonly message: string
  readonly at: number
}

const space = '[ \\t\\r\\n]'

function attribute(name: string, value: string): string {
  return `${space}+${name}${space}*=${space}*(?:"(${value})"|'(${value})')`
}

/** XML 1.0, section 2.8. A version such as 1.1 is read as 1.0, as section 2.8 wants it. */
const declaration = new RegExp(
  `<\\?xml${attribute('version', '1\\.[0-9]+')}(?:${attribute('encoding', '[A-Za-z][A-Za-z0-9._-]*')})?(?:${attribute('standalone', 'yes|no')})?${space}*\\?>`,
  'dy',
)

/** In these, text that is all ASCII has the same bytes as in UTF-8. */
const extendsAscii = /^(?:(?:us-)?ascii|iso-8859-\d{1,2}|windows-125\d)$/i

/** What is wrong with the XML declaration at the beginning of a text that was UTF-8; `null` if nothing is. */
export function declarationMistake(text: string): Mistake | null {
  declaration.lastIndex = 0
  const found = declaration.exec(text)
  if (found === null)
    return {
      message: 'The XML declaration must be like <?xml version="1.0" encoding="UTF-8" standalone="yes"?>.',
      at: 0,
    }
  const encoding = found[3] ?? found[4] ?? 'UTF-8'
  const isUtf8 = /^utf-?8$/i.test(encoding)
  if (isUtf8 || (extendsAscii.test(encoding) && !/[\u0080-\uffff]/.test(text))) return null
  const [at] = found.indices?.[3] ?? found.indices?.[4] ?? [0]
  return {
    message: `The text is UTF-8, and its declaration says ${encoding.slice(0, 40)}. Write UTF-8 there if the text reads well, else convert it.`,
    at,
  }
}
