/**
 * Markup that browsers close, move or open anew in places of their own, so that an end tag may mean an element further
 * out: each would end a `section` or `div` around it that was written without care.
 */
export const unnestedMarkup: readonly string[] = [
  '</div></div></section></article></main></body>',
  '<ul><li><div>a<li></div></div></div></ul>',
  '<ul><li><div><li><li>a</li></li></div></li></ul>',
  '<li><div><li><b><li>a</li></b></li></div></li>',
  '<dl><dd><div><dt></div></div></div></dl>',
  '<dl><dd><div><dd><dt>a</dt></dd></div></dd></dl>',
  '<h3><div><h1><h2>a</h2></h1></div></h3>',
  '<p><div><p><div></p></div></p></div>',
  '<b><p></b></div></p></div><a href="https://x.example"><div><a></div></div>',
  '<a href="https://x.example"><div><a href="https://y.example">a</a></div></a>',
  '<a href="https://x.example"><table><tr><td><a href="https://y.example">a</table>',
  `<b>${'<div>'.repeat(12)}</b>a${'</div>'.repeat(12)}`,
  '<table><table><tr><td>a</table></table>',
  '<table><td><div><tr></div></div></table></div>',
  '<table><tr><td><div><td>a</td></div></td></tr></table>',
  '<table><div><tr><td>a</div></td></div></table>',
  '<table><tr><div>a</div><td></tr></div></table>',
  '<table><caption><div><caption>a</caption></div></caption></table>',
  '<table><caption><table><tr><td><div></caption></div></table>',
  '<table><thead><tbody><b><tr><i><td></b></i></table>a',
  '<table><ul><li><table></ul></li></table></table>',
  '<table><a href="https://x.example">a<tr><a href="https://y.example">b',
  '<table><pre><table></pre></table></table>',
  '<td><div></td></div><tr></div><tbody></div><caption></div>',
]
