const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** A YAML number as JSON spells it, of exactly the same value; `null` for one that JSON does not have. */
export function jsonNumberOf(source: string, value: number | bigint): string | null {
  if (jsonNumber.test(source)) return source
  if (typeof value === 'bigint') return String(value)
  const [, sign = '', whole = '', fraction = '', exponent = ''] =
    /^([-+]?)(\d*)(?:\.(\d*))?([eE][-+]?\d+)?$/.exec(source.replaceAll('_', '')) ?? []
  if (whole === '' && fraction === '') return null
  const digits = whole.replace(/^0+(?=\d)/, '')
  const minus = sign === '-' ? '-' : ''
  const point = source.includes('.') ? `.${fraction === '' ? '0' : fraction}` : ''
  return `${minus}${digits === '' ? '0' : digits}${point}${exponent}`
}
