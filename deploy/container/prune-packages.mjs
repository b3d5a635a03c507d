// Creates the node_modules of each image in a folder: `node prune-packages.mjs FOLDER`. The working directory must have
// package.json, package-lock.json and the node_modules of all production packages. An image gets its packages of
// packages.json and their dependencies.
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const [, , target] = process.argv
const wanted = JSON.parse(readFileSync(new URL('packages.json', import.meta.url), 'utf8'))
const manifest = JSON.parse(readFileSync('package.json', 'utf8'))

for (const [image, names] of Object.entries(wanted)) {
  const folder = join(target, image)
  mkdirSync(folder, { recursive: true })
  // Hard links are enough, because prune only removes files.
  execFileSync('cp', ['-al', 'node_modules', folder])
  copyFileSync('package-lock.json', join(folder, 'package-lock.json'))
  const dependencies = Object.fromEntries(names.map((name) => [name, manifest.dependencies[name]]))
  const { name, version } = manifest
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, version, dependencies }))
  execFileSync('npm', ['prune', '--omit=dev', '--omit=optional', '--ignore-scripts', '--offline'], {
    cwd: folder,
    stdio: 'inherit',
  })
}
