import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { secretsOf } from '#libs/testing/kubernetes/container-environment.js'
import { ofKind } from '#libs/testing/kubernetes/kubernetes-object.js'
import { buildEverything, kustomizeMissing, kustomizeNote } from '#libs/testing/kubernetes/kustomize.js'
import { capacityRules, connectionsNeeded, smallCluster } from './testing/capacity-rules.js'
import { noSecretValues, objectRules, pinnedImages, versionRule } from './testing/object-rules.js'
import { packageVersion } from './testing/package-version.js'
import { podRules } from './testing/pod-rules.js'
import { referenceRules, secretRule, secretUses } from './testing/reference-rules.js'

const root = fileURLToPath(new URL('.', import.meta.url))
const manual = readFileSync(new URL('README.md', import.meta.url), 'utf8')
const builds = buildEverything(root)
const overlays = builds.filter(({ name }) => name.startsWith('overlays/'))
const production = builds.filter(({ name }) => name === 'overlays/production')
const withoutOverlays = builds.filter(({ name }) => !name.startsWith('overlays/'))
const rules = [
  ...objectRules,
  ...podRules,
  ...referenceRules,
  ...capacityRules,
  versionRule(packageVersion()),
]

describe.runIf(kustomizeMissing === null)(`rules about the objects${kustomizeNote}`, () => {
  describe.each(builds)('in $name', ({ objects }) => {
    it.each(rules)('$name', (rule) => {
      expect(rule.find(objects)).toEqual([])
    })
  })

  it.each(overlays)('every Secret that $name needs exists or is created', ({ objects }) => {
    expect(secretRule.find(objects)).toEqual([])
  })

  it.each(withoutOverlays)(
    'README.md lists every Secret that $name leaves to the operator',
    ({ objects }) => {
      const made = secretsOf(objects)
      const needed = secretUses(objects).map(({ secret }) => secret)
      const unnamed = needed.filter((name) => !made.has(name) && !manual.includes(`\`${name}\``))
      expect(unnamed).toEqual([])
    },
  )

  it.each([...production, ...withoutOverlays])('$name contains no Secret', ({ objects }) => {
    expect(noSecretValues.find(objects)).toEqual([])
  })

  it.each(production)('$name names every image by its digest', ({ objects }) => {
    expect(pinnedImages.find(objects)).toEqual([])
  })

  it.each(builds)('in $name, ACME challenges use the normal ingress', ({ objects }) => {
    const [gateway, solver] = ['gateway', 'acme-solver'].map((name) =>
      ofKind(objects, 'NetworkPolicy')
        .filter(({ metadata }) => metadata.name === name)
        .map(({ spec }) => spec?.ingress?.filter(({ ports }) => ports?.some(({ port }) => port !== 9464))),
    )
    const from = (found: typeof gateway) =>
      JSON.stringify(found?.map((those) => those?.map((one) => one.from)))
    expect(from(solver)).toBe(from(gateway))
    const ports = solver?.flatMap((those) => those?.flatMap((one) => one.ports?.map(({ port }) => port)))
    expect(ports?.filter((port) => port !== 8089)).toEqual([])
  })

  it.each(builds.filter(({ name }) => name === 'overlays/demo'))(
    '$name fits on a small machine, unlike production',
    ({ objects }) => {
      expect(smallCluster.find(objects)).toEqual([])
      expect(smallCluster.find(production.flatMap((build) => build.objects))).not.toEqual([])
    },
  )

  it('production admits ACME challenges', () => {
    const solver = production
      .flatMap(({ objects }) => ofKind(objects, 'NetworkPolicy'))
      .find(({ metadata }) => metadata.name === 'acme-solver')
    expect(solver?.spec).toMatchObject({
      podSelector: { matchLabels: { 'acme.cert-manager.io/http01-solver': 'true' } },
      ingress: [{ ports: [{ port: 8089 }] }],
    })
  })

  it('README.md documents the base’s maximum number of connections', () => {
    const base = builds.find(({ name }) => name === 'base')?.objects ?? []
    expect(manual).toContain(`the pods of the base open ${connectionsNeeded(base)} `)
  })

  it('every folder of components is listed in README.md', () => {
    const components = withoutOverlays.map(({ name }) => name).filter((name) => name !== 'base')
    expect(components.filter((name) => !manual.includes(`\`${name.split('/')[1]}\``))).toEqual([])
  })
})
