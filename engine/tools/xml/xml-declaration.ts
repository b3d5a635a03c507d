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
  'y',
)

/** What is wrong with the XML declaration at the beginning of a text, but for its encoding; `null` if nothing is. */
export function declarationMistake(text: string): Mistake | null {
  declaration.lastIndex = 0
  const found = declaration.exec(text)
  if (found === null)
    return {
      message: 'The XML declaration must be like <?xml version="1.0" encoding="UTF-8" standalone="yes"?>.',
      at: 0,
    }
  return null
}
