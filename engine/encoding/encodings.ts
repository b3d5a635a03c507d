/** The encodings that can be read, by the names of the WHATWG's Encoding Standard, which leaves out UTF-32. */
export const encodingNames = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'utf-32le',
  'utf-32be',
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'windows-1253',
  'windows-1254',
  'windows-1255',
  'windows-1256',
  'windows-1257',
  'windows-1258',
  'windows-874',
  'iso-8859-2',
  'iso-8859-3',
  'iso-8859-4',
  'iso-8859-5',
  'iso-8859-6',
  'iso-8859-7',
  'iso-8859-8',
  'iso-8859-10',
  'iso-8859-13',
  'iso-8859-14',
  'iso-8859-15',
  'macintosh',
  'x-mac-cyrillic',
  'ibm866',
  'koi8-r',
  'koi8-u',
  'big5',
  'euc-jp',
  'euc-kr',
  'gb18030',
  'gbk',
  'iso-2022-jp',
  'shift_jis',
] as const

export type EncodingName = (typeof encodingNames)[number]

/** The encoding that a label such as `latin1` or `ISO-8859-1` stands for; `null` if it is none of ours. */
export function encodingOf(label: string): EncodingName | null {
  try {
    const { encoding } = new TextDecoder(label)
    return encodingNames.find((name) => name === encoding) ?? null
  } catch {
    return null
  }
}
