declare const brand: unique symbol

/** A `Base` that only its constructor function creates, so that one kind of id is never taken for another. */
export type Branded<Base, Name extends string> = Base & { readonly [brand]: Name }
