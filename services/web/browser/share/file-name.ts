import { withExtension } from '#shared/core/text-extension.js'

const lengthMax = 80

/** A file name of a title's letters and digits, safe for every shell and file system. */
export function fileName(title: string, extension: string): string {
  const named = withExtension(title, extension)
  const stem = named
    .slice(0, named.lastIndexOf('.'))
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{N}_]+/gu, '-')
    .replaceAll(/^-+|(?<!-)-+$/g, '')
  const short = [...stem].slice(0, lengthMax).join('')
  return `${short === '' ? 'share' : short}.${extension}`
}
