/** A policy's rules, as far as they make markup. */
interface MarkupRules {
  readonly createHTML?: (markup: string) => string
}

interface TypedWindow {
  readonly trustedTypes?: { createPolicy: (name: string, rules: MarkupRules) => unknown }
}

/** The numbers of lines in highlighted code, which come as a style attribute and only lay out numbers that are not shown. */
const lineNumbers = /(<code class="[^"<>]*") style="[^"<>]*"/g

/**
 * Holds a script that was not written for a strict Content-Security-Policy to that of the page: style elements that it
 * makes get the nonce, style attributes that it sets go through the CSSOM, and it finds out that no code can be made from
 * strings without the browser having to report it.
 */
export function holdToPolicy(nonce: string): void {
  document.createElement = new Proxy(document.createElement, {
    apply(create, self, names) {
      const element: unknown = Reflect.apply(create, self, names)
      if (element instanceof HTMLStyleElement) element.nonce = nonce
      return element
    },
  })
  Element.prototype.setAttribute = new Proxy(Element.prototype.setAttribute, {
    apply(set, element: Element, [name, value]: [string, string]) {
      if (name === 'style' && element instanceof HTMLElement) element.style.cssText = value
      else Reflect.apply(set, element, [name, value])
    },
  })
  const refuse = (): never => {
    throw new EvalError('The policy of this page makes no code from strings.')
  }
  globalThis.Function = new Proxy(Function, { apply: refuse, construct: refuse })
  const { trustedTypes } = globalThis as TypedWindow
  if (trustedTypes === undefined) return
  const { createPolicy } = trustedTypes
  trustedTypes.createPolicy = (name, rules) => {
    const { createHTML } = rules
    if (createHTML === undefined) return createPolicy.call(trustedTypes, name, rules)
    const withoutStyles = (markup: string) => createHTML(markup.replaceAll(lineNumbers, '$1'))
    return createPolicy.call(trustedTypes, name, { ...rules, createHTML: withoutStyles })
  }
}
