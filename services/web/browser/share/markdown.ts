// The script of a page that most likely shows Markdown, with the renderer that other pages load only on demand.
import '../viewer/rendered-view.js'
import './main.js'
