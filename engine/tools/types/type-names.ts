const unitsMax = 60

/** The name of a type for what a key holds: `shipping-address` becomes `ShippingAddress`. */
export function typeName(key: string): string {
  const words = key.slice(0, unitsMax).split(/[^\p{L}\p{N}]+/u)
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
  const isName = /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u
  if (isName.test(name)) return name
  return isName.test(`Of${name}`) ? `Of${name}` : 'Value'
}

/** The name of a type for the items of an array, or the members of a dictionary, whose type would have this name. */
export function itemName(name: string): string {
  if (/[a-z]{2}ies$/.test(name)) return `${name.slice(0, -3)}y`
  if (/[A-Za-z]{2}[^isu\W]s$/.test(name)) return name.slice(0, -1)
  return name.endsWith('Item') ? name : `${name}Item`
}
