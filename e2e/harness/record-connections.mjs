// Loaded into a process under test by `node --import`: records the destination of every connection, by name
// if it has one, and returns the list on a message from the parent.
import net from 'node:net'

const seen = new Set()
const { connect } = net.Socket.prototype

/** The arguments of `connect`: an array of options and callback within Node, else one of its public forms. */
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
