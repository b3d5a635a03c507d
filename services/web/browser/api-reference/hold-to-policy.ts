/** The parts of a policy that go into the markup. */
interface MarkupRules {
  readonly createHTML?: (markup: string) => string
}

interface TypedWindow {
  readonly trustedTypes?: { createPolicy: (name: string, rules: MarkupRules) => unknown }
}

/** Line numbers of highlighted code: a style attribute that only lays out numbers we don't show. */
const lineNumbers = /(<code class="[^"<>]*") style="[^"<>]*"/g

/**
 * Makes a script that was not written for a strict Content-Security-Policy comply with the page's: style
 * elements it creates get the nonce, style attributes go through the CSSOM, and its probe for `eval` fails
 * without a CSP report.
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
