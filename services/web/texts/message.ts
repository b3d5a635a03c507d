/** A message: with a number that decides its form, one for each plural category of the language. */
export type Message = string | { readonly one: string; readonly other: string }
