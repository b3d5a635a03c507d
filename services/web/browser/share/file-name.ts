const lengthMax = 80

/** A file name of a title's letters and digits, safe for every shell and file system. */
export function fileName(title: string, extension: string): string {
  const stem = title
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{N}_]+/gu, '-')
    .replaceAll(/^-+|(?<!-)-+$/g, '')
  const short = [...stem].slice(0, lengthMax).join('')
  return `${short === '' ? 'share' : short}.${extension}`
}
