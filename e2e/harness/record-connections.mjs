// Loaded into a process under test by `node --import`: it notes where every connection of this process goes, by name
// where it has one, and gives the list whenever its parent sends a message.
import net from 'node:net'

const seen = new Set()
const { connect } = net.Socket.prototype

/** What `connect` was requested: an array of options and callback from within Node, else its public forms. */
function addressOf([first, host]) {
  const asked = Array.isArray(first) ? first[0] : first
  if (typeof asked !== 'object') return `${host ?? 'localhost'}:${asked}`
  return asked.path ?? `${asked.host ?? 'localhost'}:${asked.port}`
}

net.Socket.prototype.connect = function (...asked) {
  seen.add(addressOf(asked))
  return connect.apply(this, asked)
}

process.on('message', () => process.send?.([...seen].sort()))
process.channel?.unref()
