import { expect, it } from 'vitest'
import { readAssets } from './assets.js'

it('whoever has not built the scripts of the pages reads how to', async () => {
  await expect(readAssets('/nowhere')).rejects.toThrow(
    'The scripts of the pages are not built: run npm run build, which makes /nowhere/manifest.json.',
  )
})
