/**
 * The header by which the gateway tells the web application what to write in the place of a nonce: 32 hexadecimal digits
 * that it replaces in each copy of the page. From callers it is taken away, like every header of this kind.
 */
export const pageNonceHeader = 'x-snipkeep-page-nonce'
