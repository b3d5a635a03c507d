import './share.css'
import { pageNonce } from '../page-nonce.js'
import { scriptAddress } from '../script-address.js'

// Replaced by the share page's own script.
document.documentElement.dataset.live = String(pageNonce() !== '' && scriptAddress('/assets/x') !== '')
