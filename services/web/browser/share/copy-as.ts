import { quoted, shellString, withoutExpressions } from './code-strings.js'
import type { CopyForm } from './copying.js'
import { fileName } from './file-name.js'

/** What the copied code fetches. */
export interface Fetched {
  /** The absolute URL of the data. */
  readonly url: string
  readonly title: string
  /** `text` for a single value. */
  readonly form: 'json' | 'text'
  /** The file extension that fits it. */
  readonly extension: string
}

function curl({ url }: Fetched): string {
  return `curl --fail --silent --show-error --location ${shellString(url)}`
}

function javaScript({ url, form }: Fetched): string {
  return `const response = await fetch(${quoted(url)})
if (!response.ok) throw new Error(\`The request for the share returned \${response.status}.\`)
const data = await response.${form}()
`
}

function python({ url, form }: Fetched): string {
  const [imports, read] =
    form === 'json' ? ['import json\n', 'json.load(response)'] : ['', 'response.read().decode()']
  return `${imports}from urllib.request import urlopen

with urlopen(${quoted(url)}) as response:
    data = ${read}
`
}

function actionsStep(fetched: Fetched): string {
  const output = fileName(fetched.title, fetched.extension)
  const command = `${curl(fetched)} --output ${shellString(output)}`
  return `- name: ${quoted(withoutExpressions(`Fetch ${fetched.title}`))}
  run: ${quoted(withoutExpressions(command))}
`
}

/** Code that fetches the share, safe for any title and URL. */
export function copyAs(copyForm: CopyForm, fetched: Fetched): string {
  switch (copyForm) {
    case 'curl':
      return curl(fetched)
    case 'fetch':
      return javaScript(fetched)
    case 'python':
      return python(fetched)
    case 'actions':
      return actionsStep(fetched)
    default:
      return copyForm satisfies never
  }
}
