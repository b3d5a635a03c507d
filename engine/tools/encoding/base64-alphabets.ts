const common = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** The alphabets of RFC 4648, sections 4 and 5: the byte of each six bits. */
export const alphabets = {
  standard: new TextEncoder().encode(`${common}+/`),
  url: new TextEncoder().encode(`${common}-_`),
} as const

/** The padding of the last four characters. */
export const padding = 0x3d
