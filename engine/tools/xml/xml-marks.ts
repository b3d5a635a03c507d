/**
 * The namespace of the attributes that say what XML alone cannot: `json:type` (`number`, `boolean`, `null`, `array`,
 * `object`, `escaped`), `json:key`, `json:array` before the first item, and `json:root` on an element that only holds
 * the document. Keys, and text that is `escaped`, are spelled as in a JSON string.
 */
export const marksNamespace = 'urn:snipkeep:json'

/** How deep JSON may be nested that XML becomes, as everywhere. */
export const jsonDepthMax = 512
