/** The HTML elements that are shown: text markup, nothing that loads, runs, moves or imitates the page. */
export const keptElements: readonly string[] =
  'a abbr b blockquote br caption code dd del details div dl dt em h1 h2 h3 h4 h5 h6 hr i ins kbd li mark ol p pre q s samp small span strong sub summary sup table tbody td tfoot th thead tr u ul var'.split(
    ' ',
  )

/** The attributes that they keep besides `href` and `title`. None of their values is an address. */
export const keptAttributes: readonly string[] = [
  'start',
  'colspan',
  'rowspan',
  'align',
  'lang',
  'dir',
  'open',
]
